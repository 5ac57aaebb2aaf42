package io.jgloo.transport;

/** What a device can tell of a mesh that some process once published. */
public enum Liveness {
  /** The mesh exists: its process answered for it. */
  ALIVE,
  /** Nobody answers for it any more: a crashed or finished run left the address behind. */
  GONE,
  /** This kind of device cannot tell, or the peer did not answer in time. */
  UNKNOWN
}
