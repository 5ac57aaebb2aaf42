/** Payloads of the tensors of TensorFlow Java, and data-parallel training. */
@NullMarked
package io.jgloo.tensorflow;

import org.jspecify.annotations.NullMarked;
