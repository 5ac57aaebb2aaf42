package io.jgloo.transport.tcp;

/** What has become of an attempt to connect that failed. */
enum ConnectOutcome {
  /** The next one may succeed. */
  MAY_PASS,
  /** The peer is there and will never have us. */
  REFUSED,
  /** The peer's mesh has failed. */
  FAILED,
  /** The peer's device is there, the mesh no more. */
  ENDED,
  /** Nobody listens there. */
  NO_LISTENER
}
