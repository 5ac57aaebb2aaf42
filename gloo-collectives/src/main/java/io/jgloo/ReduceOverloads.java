package io.jgloo;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * The calls that combine elements, on arrays and buffers.
 *
 * <p>Arrays whole or in part (offset and length in elements); buffers from position to limit, which
 * no call moves. Direct buffers are worked on in place, heap memory is staged. What is not here is
 * called with a {@link Payload}.
 */
abstract class ReduceOverloads extends MessageCalls {

  ReduceOverloads(Connection connection, CallOptions options) {
    super(connection, options);
  }

  /** Reduces in place; see {@link #allreduce(Payload, ReduceOp)}. */
  public final void allreduce(float[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place; see {@link #allreduce(Payload, ReduceOp)}. */
  public final void allreduce(double[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place; see {@link #allreduce(Payload, ReduceOp)}. */
  public final void allreduce(int[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place; see {@link #allreduce(Payload, ReduceOp)}. */
  public final void allreduce(long[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces part of an array in place. */
  public final void allreduce(float[] x, int offset, int length, ReduceOp op) {
    allreduce(spare().on(x, offset, length), op);
  }

  /** Reduces part of an array in place. */
  public final void allreduce(double[] x, int offset, int length, ReduceOp op) {
    allreduce(spare().on(x, offset, length), op);
  }

  /** Reduces part of an array in place. */
  public final void allreduce(int[] x, int offset, int length, ReduceOp op) {
    allreduce(spare().on(x, offset, length), op);
  }

  /** Reduces part of an array in place. */
  public final void allreduce(long[] x, int offset, int length, ReduceOp op) {
    allreduce(spare().on(x, offset, length), op);
  }

  /** Reduces in place, from position to limit. */
  public final void allreduce(FloatBuffer x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place, from position to limit. */
  public final void allreduce(DoubleBuffer x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place, from position to limit. */
  public final void allreduce(IntBuffer x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place, from position to limit. */
  public final void allreduce(LongBuffer x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place, from position to limit. */
  public final void allreduce(ByteBuffer x, DataType type, ReduceOp op) {
    allreduce(spare().on(x, type), op);
  }

  /** Reduces input to output; see {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(float[] input, float[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output; see {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(double[] input, double[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output; see {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(int[] input, int[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output; see {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(long[] input, long[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output, each from position to limit. */
  public final void allreduce(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output, each from position to limit. */
  public final void allreduce(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output, each from position to limit. */
  public final void allreduce(IntBuffer input, IntBuffer output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output, each from position to limit. */
  public final void allreduce(LongBuffer input, LongBuffer output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(float[] x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(double[] x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(int[] x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(long[] x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(FloatBuffer x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(DoubleBuffer x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(IntBuffer x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces in place at the root; see {@link #reduce(Payload, ReduceOp, int)}. */
  public final void reduce(LongBuffer x, ReduceOp op, int root) {
    reduce(spare().on(x), op, root);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(float[] input, float[] output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(double[] input, double[] output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(int[] input, int[] output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(long[] input, long[] output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(IntBuffer input, IntBuffer output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }

  /** Reduces to blocks; see {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public final void reduceScatter(LongBuffer input, LongBuffer output, ReduceOp op) {
    reduceScatter(spare().on(input), spare().on(output), op);
  }
}
