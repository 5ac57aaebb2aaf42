package io.jgloo.transport;

/** Whether a mesh whose address was published still exists. */
public enum Liveness {
  /** The mesh exists: its process answered for it. */
  ALIVE,
  /** No process has it any more: a crashed or finished run left the address behind. */
  GONE,
  /** This kind of device cannot find out, or the peer did not answer in time. */
  UNKNOWN
}
