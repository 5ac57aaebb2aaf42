package io.jgloo.transport.tcp.connect;

/** How an attempt to connect has failed. */
public enum ConnectOutcome {
  /** The next one may succeed. */
  MAY_PASS,
  /** The peer refuses this rank for good. */
  REFUSED,
  /** The peer's mesh has failed. */
  FAILED,
  /** The peer's device listens, but its mesh has ended. */
  ENDED,
  /** No process listens at the address. */
  NO_LISTENER
}
