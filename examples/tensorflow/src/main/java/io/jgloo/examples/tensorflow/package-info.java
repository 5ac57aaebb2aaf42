/** Data-parallel training with TensorFlow. */
package io.jgloo.examples.tensorflow;
