package io.jgloo.collectives;

import java.nio.ByteBuffer;

/**
 * A reduction of the user's own, on many elements at a time.
 *
 * <p>A call may cut its vectors anywhere between elements (between tuples, if the operation is on
 * tuples) and in another way every time, so the result for an element must depend on nothing but
 * the two elements.
 *
 * <p><em>Threads</em>: any, several at a time on buffers of their own; mostly whichever thread
 * waits for the call. It may abort or close its own group, which happens when it has returned; any
 * call of the group is refused with an {@link IllegalStateException}. <em>Fails</em>: what it
 * throws fails the group at all ranks, with this rank named.
 */
@FunctionalInterface
public interface ReduceFunction {

  /**
   * Sets each element of {@code first} to {@code f(first, second)}.
   *
   * <p>Both are heap buffers in native byte order, of one and the same length from position 0 to
   * limit, a whole number of tuples; where the positions end up does not matter. They are lent for
   * the call only.
   */
  void reduce(ByteBuffer first, ByteBuffer second, DataType type);
}
