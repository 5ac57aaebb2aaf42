package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;

/** Transfers to be handed to the device, in order; those it has; and spare ones. */
final class Transfers {

  private Transfer first;
  private Transfer last;
  private Transfer spare;
  private Transfer busy;

  Transfer add() {
    Transfer transfer = spare;
    if (transfer == null) {
      transfer = new Transfer();
    } else {
      spare = transfer.next;
    }
    transfer.message = null;
    transfer.request = null;
    transfer.reads = false;
    transfer.ticket = 0;
    transfer.region = null;
    transfer.moved = 0;
    transfer.ended = false;
    transfer.next = null;
    if (last == null) {
      first = transfer;
    } else {
      last.next = transfer;
    }
    last = transfer;
    return transfer;
  }

  Transfer first() {
    return first;
  }

  /** The first has been handed to the device whole. */
  void poll() {
    Transfer transfer = first;
    first = transfer.next;
    if (first == null) {
      last = null;
    }
    transfer.next = busy;
    busy = transfer;
  }

  /** The device is done with a transfer. */
  void recycle(Transfer transfer) {
    Transfer before = null;
    for (Transfer at = busy; at != null; before = at, at = at.next) {
      if (at == transfer) {
        if (before == null) {
          busy = at.next;
        } else {
          before.next = at.next;
        }
        transfer.request = null;
        transfer.message = null;
        transfer.region = null;
        transfer.next = spare;
        spare = transfer;
        return;
      }
    }
  }

  boolean isBusy() {
    return first != null || busy != null;
  }

  /** Whether a part of this message is on its way. */
  boolean has(Outgoing message) {
    for (Transfer at = first; at != null; at = at.next) {
      if (at.message == message) {
        return true;
      }
    }
    for (Transfer at = busy; at != null; at = at.next) {
      if (at.message == message) {
        return true;
      }
    }
    return false;
  }

  void failAll(GlooException cause) {
    fail(first, cause);
    fail(busy, cause);
    first = null;
    last = null;
    busy = null;
  }

  private static void fail(Transfer transfers, GlooException cause) {
    for (Transfer at = transfers; at != null; at = at.next) {
      if (at.request != null && !at.request.isDone()) {
        at.request.fail(cause);
      }
    }
  }
}
