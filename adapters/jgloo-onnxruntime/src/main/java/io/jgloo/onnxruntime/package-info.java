/** Payloads of the tensors of ONNX Runtime. */
package io.jgloo.onnxruntime;
