package io.jgloo;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * The calls of a group on arrays and buffers, each told as one on payloads.
 *
 * <p>Arrays whole or in part (offset and length in elements); buffers from position to limit, which
 * no call moves. Direct buffers are worked on in place, heap memory is staged.
 */
abstract class Overloads {

  private final Spares<Payload> payloads;

  Overloads(Spares<Payload> payloads) {
    this.payloads = payloads;
  }

  private Payload spare() {
    return payloads.take();
  }

  /** See {@link ProcessGroup#allreduce(Payload, ReduceOp)}. */
  public abstract void allreduce(Payload x, ReduceOp op);

  /** See {@link ProcessGroup#allreduce(Payload, Payload, ReduceOp)}. */
  public abstract void allreduce(Payload input, Payload output, ReduceOp op);

  /** See {@link ProcessGroup#broadcast(Payload, int)}. */
  public abstract void broadcast(Payload x, int root);

  /** Reduces in place; see {@link ProcessGroup#allreduce(Payload, ReduceOp)}. */
  public final void allreduce(float[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place; see {@link ProcessGroup#allreduce(Payload, ReduceOp)}. */
  public final void allreduce(double[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place; see {@link ProcessGroup#allreduce(Payload, ReduceOp)}. */
  public final void allreduce(int[] x, ReduceOp op) {
    allreduce(spare().on(x), op);
  }

  /** Reduces in place; see {@link ProcessGroup#allreduce(Payload, ReduceOp)}. */
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

  /** Reduces input to output; see {@link ProcessGroup#allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(float[] input, float[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output; see {@link ProcessGroup#allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(double[] input, double[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output; see {@link ProcessGroup#allreduce(Payload, Payload, ReduceOp)}. */
  public final void allreduce(int[] input, int[] output, ReduceOp op) {
    allreduce(spare().on(input), spare().on(output), op);
  }

  /** Reduces input to output; see {@link ProcessGroup#allreduce(Payload, Payload, ReduceOp)}. */
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

  /** Sends the root's elements to all; see {@link ProcessGroup#broadcast(Payload, int)}. */
  public final void broadcast(float[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all; see {@link ProcessGroup#broadcast(Payload, int)}. */
  public final void broadcast(double[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all; see {@link ProcessGroup#broadcast(Payload, int)}. */
  public final void broadcast(int[] x, int root) {
    broadcast(spare().on(x), root);
  }

  /** Sends the root's elements to all; see {@link ProcessGroup#broadcast(Payload, int)}. */
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
}
