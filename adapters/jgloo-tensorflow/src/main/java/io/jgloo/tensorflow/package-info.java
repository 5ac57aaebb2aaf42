/** Payloads of the tensors of TensorFlow Java. */
package io.jgloo.tensorflow;
