package io.jgloo.transport.tcp;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.SlotChain;

/**
 * Brings messages of a pair together with its receives: per slot, in order of arrival and posting.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the memory of messages nobody has asked
 * for yet, at most a window of it.
 */
final class Matching {

  /**
   * Most messages a peer may have announced that no receive has taken, and on Gloo's wires most
   * receives it may have told of that no send has taken, together: some 40 MB of bookkeeping, and
   * 13 times what the contract asks for.
   */
  static final int MAX_OPEN = 1 << 18;

  private final TcpPair pair;
  private final Inbox inbox;
  private final RequestList posted = new RequestList();
  private final RequestList granted = new RequestList();
  private final SlotChain<Stray> arrived = new SlotChain<>();
  private final SlotChain<Stray> announced = new SlotChain<>();
  private int open;

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

  /** Messages that came before their receive, or come just now. */
  SlotChain<Stray> arrived() {
    return arrived;
  }

  /** The oldest message of a slot that no receive has taken, or null. */
  Stray find(long slot) {
    Stray here = findFree(arrived.at(slot));
    Stray there = findAnnounced(slot);
    return there == null || (here != null && here.order < there.order) ? here : there;
  }

  /** The oldest message of a slot that is only announced, or null. */
  Stray findAnnounced(long slot) {
    return findFree(announced.at(slot));
  }

  private static Stray findFree(SlotChain.Place<Stray> from) {
    SlotChain.Place<Stray> at = from;
    while (at != null && at.node().claimedBy != null) {
      at = at.next();
    }
    return at == null ? null : at.node();
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
    if (stray.announced) {
      charge("an announcement");
      announced.add(stray);
    } else {
      arrived.add(stray);
    }
  }

  /**
   * The peer makes us remember one thing more.
   *
   * @throws ProtocolException if that is one too many
   */
  void charge(String what) {
    if (++open > MAX_OPEN) {
      throw new ProtocolException(
          (what + " that makes " + open + " announcements and credits without a request here")
              + ("; at most " + MAX_OPEN + " are allowed"));
    }
  }

  /** One of them has found its request. */
  void discharge() {
    open--;
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

  void failAll(GlooException cause) {
    posted.drain(request -> request.fail(cause));
    granted.drain(request -> request.fail(cause));
    arrived.drain(stray -> fail(stray, cause));
    announced.drain(stray -> fail(stray, cause));
    open = 0;
  }

  private void fail(Stray stray, GlooException cause) {
    if (stray.claimedBy != null && !stray.claimedBy.isDone()) {
      stray.claimedBy.fail(cause);
    }
    pair.mesh().strays().giveBack(stray);
  }

  void remove(Stray stray) {
    if (!stray.announced) {
      arrived.remove(stray);
    } else if (announced.remove(stray)) {
      discharge();
    }
  }
}
