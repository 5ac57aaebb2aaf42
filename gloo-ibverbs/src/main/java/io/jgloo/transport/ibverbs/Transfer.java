package io.jgloo.transport.ibverbs;

import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;

/**
 * A range to be moved by RDMA: a granted part of a message, a put or a get.
 *
 * <p>Reused; all fields are guarded by the mesh's lock.
 */
final class Transfer {

  /** The message it is a part of; null for a put or a get. */
  Outgoing message;

  /** The put or get; for messages, theirs. */
  EngineRequest request;

  /** Whether it reads the peer's memory. */
  boolean reads;

  int ticket;
  long address;
  long length;
  long remoteAddress;
  int remoteKey;

  /** What the memory is registered as, or null: then it is copied through segments. */
  MemoryRegion region;

  /** Bytes handed to the device so far. */
  long moved;

  /** Whether the last piece has been handed to the device. */
  boolean ended;
}
