package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.engine.Chain;

/** Transfers to be handed to the device, in order; those it has; and spare ones. */
final class Transfers {

  private final Chain<Transfer> waiting = new Chain<>();
  private final Chain<Transfer> busy = new Chain<>();
  private final Chain<Transfer> spare = new Chain<>();

  Transfer add() {
    Transfer transfer = spare.isEmpty() ? new Transfer() : spare.poll();
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
    return waiting.first();
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
      spare.addFirst(transfer);
    }
  }

  boolean isBusy() {
    return !waiting.isEmpty() || !busy.isEmpty();
  }

  void failAll(GlooException cause) {
    failAll(waiting, cause);
    failAll(busy, cause);
  }

  private static void failAll(Chain<Transfer> transfers, GlooException cause) {
    transfers.drain(
        transfer -> {
          if (transfer.request != null) {
            transfer.request.fail(cause);
          }
        });
  }
}
