package io.jgloo.collectives.execution;

/** A barrier that finds out who is missing. */
@FunctionalInterface
public interface RollCall {
  /**
   * Waits until all ranks have called this.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if some have not in time; names them all
   * @throws io.jgloo.transport.GlooException if the group has failed
   */
  void answer(long timeoutNanos);
}
