package io.jgloo.transport.engine;

import java.util.function.LongPredicate;

/** Frames in order. */
public final class OutgoingList extends SlotChain<Outgoing> {

  /** Takes out the first frame of a slot, or null. */
  public Outgoing take(long slot) {
    Outgoing frame = find(slot);
    if (frame != null) {
      remove(frame);
    }
    return frame;
  }

  /** The frame that carries or announces a request, left in place, or null. */
  public Outgoing find(EngineRequest request) {
    Place<Outgoing> at = at(request.slot());
    while (at != null && at.node().request != request) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }

  /** The first frame that announces a send on a slot, left in place, or null. */
  public Outgoing findAnnouncement(long slot) {
    Place<Outgoing> at = at(slot);
    while (at != null && (at.node().opcode != SendQueue.ANNOUNCE || at.node().request == null)) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }

  /** Whether a frame belongs to a send that is not done; those of withdrawn ones do not count. */
  public boolean hasRequest() {
    return hasRequest(slot -> true);
  }

  /** Whether a frame belongs to a send of one of these slots that is not done. */
  public boolean hasRequest(LongPredicate slots) {
    for (Outgoing frame : this) {
      if (frame.request != null && slots.test(frame.slot)) {
        return true;
      }
    }
    return false;
  }
}
