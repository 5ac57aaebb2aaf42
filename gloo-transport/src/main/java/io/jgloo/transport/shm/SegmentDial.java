package io.jgloo.transport.shm;

import java.util.UUID;

/** A rank's attempts to connect to a peer, to which it may offer a segment each time. */
public interface SegmentDial {

  int peer();

  /** The incarnation of the peer's mesh. */
  UUID incarnation();

  /** Whether the peer is on this host, and the next connection the first one of the pair. */
  boolean mayShareMemory();

  /** How many kinds of segments could not be shared with the peer: of memfd and file, in order. */
  int segmentsTried();

  void nextSegment();
}
