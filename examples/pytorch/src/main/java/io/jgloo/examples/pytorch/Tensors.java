package io.jgloo.examples.pytorch;

import java.nio.FloatBuffer;
import java.util.Random;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/** Tensors of floats, and arrays of them for messages. */
final class Tensors {

  private Tensors() {}

  static Tensor matrix(float[] values, int columns) {
    return Tensor.create(values, values.length / columns, columns);
  }

  static float[] floats(Tensor tensor) {
    FloatBuffer buffer = tensor.detach().contiguous().createBuffer();
    float[] values = new float[buffer.remaining()];
    buffer.get(values);
    return values;
  }

  /** A matrix of normally distributed values, the same for each seed. */
  static float[] random(long seed, int rows, int columns) {
    Random random = new Random(seed);
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  /** Subtracts the gradient times the rate, and forgets the gradient. */
  static void step(Tensor weights, double rate) {
    weights.detach().sub_(weights.grad(), new Scalar(rate)); // shares the memory of the weights
    weights.mutable_grad().zero_();
  }
}
