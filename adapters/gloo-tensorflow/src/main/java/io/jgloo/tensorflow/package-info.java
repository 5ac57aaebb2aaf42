/** Payloads of the tensors of TensorFlow Java. */
@NullMarked
package io.jgloo.tensorflow;

import org.jspecify.annotations.NullMarked;
