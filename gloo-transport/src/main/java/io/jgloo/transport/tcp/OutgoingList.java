package io.jgloo.transport.tcp;

/** Frames in order, linked through themselves. */
final class OutgoingList {

  private Outgoing first;
  private Outgoing last;

  Outgoing first() {
    return first;
  }

  void add(Outgoing frame) {
    frame.next = null;
    if (last == null) {
      first = frame;
    } else {
      last.next = frame;
    }
    last = frame;
  }

  Outgoing poll() {
    Outgoing frame = first;
    if (frame != null) {
      unlink(null, frame);
    }
    return frame;
  }

  /** Takes out the first frame of a slot, or null. */
  Outgoing take(long slot) {
    Outgoing before = null;
    for (Outgoing at = first; at != null; before = at, at = at.next) {
      if (at.slot == slot) {
        unlink(before, at);
        return at;
      }
    }
    return null;
  }

  /** The frame that carries or announces a request, left in place, or null. */
  Outgoing find(TcpRequest request) {
    for (Outgoing at = first; at != null; at = at.next) {
      if (at.request == request) {
        return at;
      }
    }
    return null;
  }

  /** The first frame that announces a send on a slot, left in place, or null. */
  Outgoing findAnnouncement(long slot) {
    for (Outgoing at = first; at != null; at = at.next) {
      if (at.slot == slot && at.opcode == Frame.ANNOUNCE && at.request != null) {
        return at;
      }
    }
    return null;
  }

  /** Whether a frame belongs to a send that is not done; those of withdrawn ones do not count. */
  boolean hasRequest() {
    Outgoing at = first;
    while (at != null && at.request == null) {
      at = at.next;
    }
    return at != null;
  }

  void remove(Outgoing frame) {
    Outgoing before = null;
    for (Outgoing at = first; at != null; before = at, at = at.next) {
      if (at == frame) {
        unlink(before, at);
        return;
      }
    }
  }

  private void unlink(Outgoing before, Outgoing frame) {
    if (before == null) {
      first = frame.next;
    } else {
      before.next = frame.next;
    }
    if (last == frame) {
      last = before;
    }
    frame.next = null;
  }
}
