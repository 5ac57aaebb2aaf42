package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;
import java.util.function.LongPredicate;

/** Frames in order. */
final class OutgoingList extends Chain<Outgoing> {

  /** Takes out the first frame of a slot, or null. */
  Outgoing take(long slot) {
    Outgoing at = first();
    while (at != null && at.slot != slot) {
      at = at.next();
    }
    if (at != null) {
      remove(at);
    }
    return at;
  }

  /** The frame that carries or announces a request, left in place, or null. */
  Outgoing find(TcpRequest request) {
    Outgoing at = first();
    while (at != null && at.request != request) {
      at = at.next();
    }
    return at;
  }

  /** The first frame that announces a send on a slot, left in place, or null. */
  Outgoing findAnnouncement(long slot) {
    Outgoing at = first();
    while (at != null && (at.slot != slot || at.opcode != Frame.ANNOUNCE || at.request == null)) {
      at = at.next();
    }
    return at;
  }

  /** Whether a frame belongs to a send of one of these slots that is not done. */
  boolean hasRequest(LongPredicate slots) {
    Outgoing at = first();
    while (at != null && (at.request == null || !slots.test(at.slot))) {
      at = at.next();
    }
    return at != null;
  }

  /** Whether a frame belongs to a send that is not done; those of withdrawn ones do not count. */
  boolean hasRequest() {
    Outgoing at = first();
    while (at != null && at.request == null) {
      at = at.next();
    }
    return at != null;
  }
}
