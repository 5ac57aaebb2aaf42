package io.jgloo.transport.ibverbs;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import java.util.ArrayDeque;

/** Transfers to be handed to the device, in order; those it has; and a pool. */
final class Transfers {

  /**
   * A range to be moved by RDMA: a granted part of a message, a put or a get.
   *
   * <p>Reused; all fields are guarded by the mesh's lock.
   */
  static final class Transfer {
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

  private final ArrayDeque<Transfer> waiting = new ArrayDeque<>();
  private final ArrayDeque<Transfer> busy = new ArrayDeque<>();
  private final ArrayDeque<Transfer> free = new ArrayDeque<>();

  Transfer add() {
    Transfer transfer = free.isEmpty() ? new Transfer() : free.poll();
    transfer.message = null;
    transfer.request = null;
    transfer.reads = false;
    transfer.ticket = 0;
    transfer.region = null;
    transfer.moved = 0;
    transfer.ended = false;
    waiting.add(transfer);
    return transfer;
  }

  Transfer first() {
    return waiting.peek();
  }

  /** The first has been handed to the device whole. */
  void poll() {
    busy.addFirst(waiting.poll());
  }

  /** The device is done with a transfer. */
  void recycle(Transfer transfer) {
    if (busy.remove(transfer)) {
      transfer.request = null;
      transfer.message = null;
      transfer.region = null;
      free.addFirst(transfer);
    }
  }

  boolean isBusy() {
    return !waiting.isEmpty() || !busy.isEmpty();
  }

  void failAll(JGlooException cause) {
    failAll(waiting, cause);
    failAll(busy, cause);
  }

  private static void failAll(ArrayDeque<Transfer> transfers, JGlooException cause) {
    for (Transfer at = transfers.poll(); at != null; at = transfers.poll()) {
      if (at.request != null) {
        at.request.fail(cause);
      }
    }
  }
}
