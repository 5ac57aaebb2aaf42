package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.ProtocolException;
import java.util.function.LongPredicate;

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
  private final Chain<Stray> strays = new Chain<>();
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
    return strays.first();
  }

  /** The oldest message of a slot that no receive has taken, or null. */
  Stray find(long slot) {
    Stray stray = strays.first();
    while (stray != null && (stray.slot != slot || stray.claimedBy != null)) {
      stray = stray.next();
    }
    return stray;
  }

  /** Hands the bytes of a message to its receive: those that are here, the others as they come. */
  void deliver(Stray stray, TcpRequest request) {
    if (!stray.complete) {
      inbox.claim(request);
      return;
    }
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
    strays.add(stray);
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

  /** Whether a receive waits for a message from this peer of which nothing has come. */
  boolean isAsked() {
    return !posted.isEmpty() || !granted.isEmpty();
  }

  /** Whether a receive waits for this peer. */
  boolean waits() {
    return isAsked() || inbox.target() != null;
  }

  /** Whether a receive on one of these slots has not been matched. */
  boolean awaits(LongPredicate slots) {
    return posted.has(slots) || granted.has(slots);
  }

  void failAll(GlooException cause) {
    posted.drain(request -> request.fail(cause));
    granted.drain(request -> request.fail(cause));
    strays.drain(
        stray -> {
          if (stray.claimedBy != null && !stray.claimedBy.isDone()) {
            stray.claimedBy.fail(cause);
          }
          pair.mesh().strays().giveBack(stray);
        });
    announcedStrays = 0;
  }

  void remove(Stray stray) {
    if (strays.remove(stray)) {
      announcedStrays -= stray.announced ? 1 : 0;
    }
  }
}
