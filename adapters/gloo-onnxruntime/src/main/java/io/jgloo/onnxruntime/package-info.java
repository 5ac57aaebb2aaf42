/** Payloads of the tensors of ONNX Runtime. */
@NullMarked
package io.jgloo.onnxruntime;

import org.jspecify.annotations.NullMarked;
