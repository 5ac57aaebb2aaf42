package io.jgloo.collectives.execution;

/** A barrier that names the missing ranks. */
@FunctionalInterface
public interface MonitoredBarrier {
  /**
   * Waits until all ranks have called this.
   *
   * @throws io.jgloo.transport.OperationTimeoutException if some have not in time, with all of them
   *     as missing peers
   * @throws io.jgloo.transport.JGlooException if the group has failed
   */
  void await(long timeoutNanos);
}
