package io.jgloo;

import io.jgloo.collectives.DataType;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * The calls that move elements, on arrays and buffers.
 *
 * <p>Arrays whole or in part (offset and length in elements); buffers from position to limit, which
 * no call moves. Direct buffers are worked on in place, heap memory is staged. What is not here is
 * called with a {@link Payload}.
 */
abstract class MoveOverloads extends ReduceOverloads {

  MoveOverloads(Connection connection, CallOptions options) {
    super(connection, options);
  }

  /** Sends the root's elements to all; see {@link #broadcast(Payload, int)}. */
  public final void broadcast(float[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all; see {@link #broadcast(Payload, int)}. */
  public final void broadcast(double[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all; see {@link #broadcast(Payload, int)}. */
  public final void broadcast(int[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all; see {@link #broadcast(Payload, int)}. */
  public final void broadcast(long[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends part of the root's array to all. */
  public final void broadcast(float[] x, int offset, int length, int root) {
    broadcast(spare().on(x, offset, length), root);
  }

  /** Sends part of the root's array to all. */
  public final void broadcast(double[] x, int offset, int length, int root) {
    broadcast(spare().on(x, offset, length), root);
  }

  /** Sends part of the root's array to all. */
  public final void broadcast(int[] x, int offset, int length, int root) {
    broadcast(spare().on(x, offset, length), root);
  }

  /** Sends part of the root's array to all. */
  public final void broadcast(long[] x, int offset, int length, int root) {
    broadcast(spare().on(x, offset, length), root);
  }

  /** Sends the root's elements to all, from position to limit. */
  public final void broadcast(FloatBuffer x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all, from position to limit. */
  public final void broadcast(DoubleBuffer x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all, from position to limit. */
  public final void broadcast(IntBuffer x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all, from position to limit. */
  public final void broadcast(LongBuffer x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all, from position to limit. */
  public final void broadcast(ByteBuffer x, DataType type, int root) {
    broadcast(spare().on(x, type), root);
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(float[] input, float[] output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(double[] input, double[] output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(int[] input, int[] output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(long[] input, long[] output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(FloatBuffer input, FloatBuffer output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(DoubleBuffer input, DoubleBuffer output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(IntBuffer input, IntBuffer output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Brings blocks together; see {@link #allgather(Payload, Payload)}. */
  public final void allgather(LongBuffer input, LongBuffer output) {
    allgather(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(float[] input, float[] output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(double[] input, double[] output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(int[] input, int[] output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(long[] input, long[] output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(FloatBuffer input, FloatBuffer output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(DoubleBuffer input, DoubleBuffer output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(IntBuffer input, IntBuffer output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Exchanges blocks; see {@link #alltoall(Payload, Payload)}. */
  public final void alltoall(LongBuffer input, LongBuffer output) {
    alltoall(spare().on(input), spare().on(output));
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(float[] input, float[] output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(double[] input, double[] output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(int[] input, int[] output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(long[] input, long[] output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(FloatBuffer input, FloatBuffer output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(DoubleBuffer input, DoubleBuffer output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(IntBuffer input, IntBuffer output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Brings blocks together at the root; see {@link #gather(Payload, Payload, int)}. */
  public final void gather(LongBuffer input, LongBuffer output, int root) {
    gather(spare().on(input), output == null ? null : spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(float[] input, float[] output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(double[] input, double[] output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(int[] input, int[] output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(long[] input, long[] output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(FloatBuffer input, FloatBuffer output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(DoubleBuffer input, DoubleBuffer output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(IntBuffer input, IntBuffer output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }

  /** Hands out blocks; see {@link #scatter(Payload, Payload, int)}. */
  public final void scatter(LongBuffer input, LongBuffer output, int root) {
    scatter(input == null ? null : spare().on(input), spare().on(output), root);
  }
}
