package io.jgloo.transport.tcp;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.ProtocolException;

/**
 * Brings messages of a pair together with its receives: per slot, in order of arrival and posting.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the memory of messages nobody has asked
 * for yet, at most a window of it.
 */
final class Matching {

  /**
   * Most messages a peer may have announced that no receive has taken: some 100 MB of bookkeeping,
   * and 50 times what the contract asks for.
   */
  private static final int MAX_ANNOUNCED = 1 << 20;

  private final TcpPair pair;
  private final Inbox inbox;
  private final RequestList posted = new RequestList();
  private final RequestList granted = new RequestList();
  private Stray firstStray;
  private Stray lastStray;
  private int announcedStrays;

  Matching(TcpPair pair, Inbox inbox) {
    this.pair = pair;
    this.inbox = inbox;
  }

  /** Receives no message has been asked for. */
  RequestList posted() {
    return posted;
  }

  /** Receives whose message the peer may send. */
  RequestList granted() {
    return granted;
  }

  /** The first message that came before its receive, or null. */
  Stray firstStray() {
    return firstStray;
  }

  /** The oldest message of a slot that no receive has taken, or null. */
  Stray find(long slot) {
    for (Stray stray = firstStray; stray != null; stray = stray.next) {
      if (stray.slot == slot && stray.claimedBy == null) {
        return stray;
      }
    }
    return null;
  }

  /** Hands the bytes of a complete message to its receive. */
  void deliver(Stray stray, TcpRequest request) {
    for (long done = 0; done < stray.length; ) {
      int count = (int) Math.min(stray.length - done, Link.MAX_CALL_BYTES);
      done += Inbox.store(request, done, stray.memory + done, count);
    }
    remove(stray); // not before: if a reduction throws, failAll finds the receive here
    long length = stray.length;
    pair.mesh().strays().giveBack(stray);
    request.complete(length, pair.peer());
    pair.flow().delivered(length);
  }

  /** A message has come, or was announced, that has no receive. */
  void add(Stray stray) {
    if (stray.announced && ++announcedStrays > MAX_ANNOUNCED) {
      throw new ProtocolException(
          "more than " + MAX_ANNOUNCED + " announcements of messages that nobody asked for");
    }
    if (lastStray == null) {
      firstStray = stray;
    } else {
      lastStray.next = stray;
    }
    lastStray = stray;
  }

  /** The receive that is next for a message of this slot, taken out, or null. */
  TcpRequest take(long slot) {
    TcpRequest own = posted.find(slot);
    TcpRequest any = pair.mesh().any().find(slot, pair.peer());
    if (any != null && (own == null || any.order < own.order)) {
      pair.mesh().any().remove(any);
      any.pair = pair;
      return any;
    }
    if (own != null) {
      posted.remove(own);
    }
    return own;
  }

  /** Whether the next receive only stores this much or more. */
  boolean expectsLarge(long bytes) {
    TcpRequest next = granted.isEmpty() ? posted.first() : granted.first();
    return next != null && next.reduction() == null && next.length() >= bytes;
  }

  /** Whether a receive waits for this peer. */
  boolean waits() {
    return !posted.isEmpty() || !granted.isEmpty() || inbox.target() != null;
  }

  void failAll(GlooException cause) {
    posted.drain(request -> request.fail(cause));
    granted.drain(request -> request.fail(cause));
    while (firstStray != null) {
      Stray stray = firstStray;
      firstStray = stray.next;
      if (stray.claimedBy != null && !stray.claimedBy.isDone()) {
        stray.claimedBy.fail(cause);
      }
      pair.mesh().strays().giveBack(stray);
    }
    lastStray = null;
    announcedStrays = 0;
  }

  void remove(Stray stray) {
    Stray before = null;
    for (Stray at = firstStray; at != null; before = at, at = at.next) {
      if (at == stray) {
        if (before == null) {
          firstStray = at.next;
        } else {
          before.next = at.next;
        }
        if (lastStray == at) {
          lastStray = before;
        }
        at.next = null;
        announcedStrays -= at.announced ? 1 : 0;
        return;
      }
    }
  }
}
