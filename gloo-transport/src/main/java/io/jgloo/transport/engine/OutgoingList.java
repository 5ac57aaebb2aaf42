package io.jgloo.transport.engine;

/** Frames in order. */
public final class OutgoingList extends Chain<Outgoing> {

  /** Takes out the first frame of a slot, or null. */
  public Outgoing take(long slot) {
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
  public Outgoing find(EngineRequest request) {
    Outgoing at = first();
    while (at != null && at.request != request) {
      at = at.next();
    }
    return at;
  }

  /** The first frame that announces a send on a slot, left in place, or null. */
  public Outgoing findAnnouncement(long slot) {
    Outgoing at = first();
    while (at != null
        && (at.slot != slot || at.opcode != SendQueue.ANNOUNCE || at.request == null)) {
      at = at.next();
    }
    return at;
  }

  /** Whether a frame belongs to a send that is not done; those of withdrawn ones do not count. */
  public boolean hasRequest() {
    Outgoing at = first();
    while (at != null && at.request == null) {
      at = at.next();
    }
    return at != null;
  }
}
