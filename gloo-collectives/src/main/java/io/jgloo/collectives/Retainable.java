package io.jgloo.collectives;

/**
 * Memory that can be freed explicitly while it is reachable, such as that of a tensor: a call
 * retains it when it starts and releases it when it has ended, well or not.
 *
 * <p><em>Threads</em>: any, several at a time.
 */
public interface Retainable {

  /**
   * Keeps the memory allocated and at its address until {@link #release} has been called as often.
   *
   * @throws IllegalStateException if the memory has been freed; the call does not start then
   */
  void retain();

  /** Undoes one {@link #retain}. Must not throw or block: the thread moves bytes of other calls. */
  void release();
}
