package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Slot;
import java.util.function.LongPredicate;

/**
 * Brings messages of a pair together with its receives: per slot, in order of arrival and posting.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: unexpected messages, at most a window of
 * their bytes.
 */
public final class Matching {

  /**
   * Most announcements of a peer without a posted receive and, on Gloo's wires, credits without a
   * posted send, together: some 40 MB of bookkeeping, and 13 times what the contract asks for.
   */
  public static final int MAX_OPEN = 1 << 18;

  /** Longest range that is copied or reduced by one call. */
  private static final int MAX_PIECE_BYTES = 1 << 30;

  private final EnginePair pair;
  private final RequestList posted = new RequestList();
  private final RequestList granted = new RequestList();
  private final SlotChain<UnexpectedMessage> arrived = new SlotChain<>();
  private final SlotChain<UnexpectedMessage> announced = new SlotChain<>();
  private EngineRequest current;
  private int open;

  Matching(EnginePair pair) {
    this.pair = pair;
  }

  /** Receives that have granted no message. */
  public RequestList posted() {
    return posted;
  }

  /** Receives whose message the peer may send. */
  public RequestList granted() {
    return granted;
  }

  /** Messages that have arrived before their receive, or arrive just now. */
  public SlotChain<UnexpectedMessage> arrived() {
    return arrived;
  }

  /** The oldest message of a slot that no receive has taken, or null. */
  public UnexpectedMessage find(long slot) {
    UnexpectedMessage here = findFree(arrived.at(slot));
    UnexpectedMessage there = findAnnounced(slot);
    return there == null || (here != null && here.order() < there.order()) ? here : there;
  }

  /** The oldest message of a slot that is only announced, or null. */
  public UnexpectedMessage findAnnounced(long slot) {
    return findFree(announced.at(slot));
  }

  private static UnexpectedMessage findFree(SlotChain.Place<UnexpectedMessage> from) {
    SlotChain.Place<UnexpectedMessage> at = from;
    while (at != null && at.node().claimedBy != null) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }

  /** A message has arrived, or was announced, that has no receive. */
  public void add(UnexpectedMessage message) {
    if (message.isAnnounced()) {
      charge("an announcement");
      announced.add(message);
    } else {
      arrived.add(message);
    }
  }

  /** Takes a message out that has found its receive. */
  public void remove(UnexpectedMessage message) {
    if (!message.isAnnounced()) {
      arrived.remove(message);
    } else if (announced.remove(message)) {
      discharge();
    }
  }

  /**
   * Counts one more entry that this rank has to keep for the peer.
   *
   * @throws ProtocolException if that is one too many
   */
  public void charge(String what) {
    if (++open > MAX_OPEN) {
      throw new ProtocolException(
          (what + ", so that " + open + " announcements and credits have no request here")
              + ("; at most " + MAX_OPEN + " are allowed"));
    }
  }

  /** One of them has found its request. */
  public void discharge() {
    open--;
  }

  /** Gives the bytes of a message that is here to its receive, and completes that. */
  public void deliver(UnexpectedMessage message, EngineRequest request) {
    long length = message.length();
    for (long done = 0; done < length; ) {
      int count = (int) Math.min(length - done, MAX_PIECE_BYTES);
      done += pair.mesh().store(request, done, message.memory() + done, count);
    }
    remove(message); // not before: if a reduction throws, failAll finds the receive here
    request.complete(length, pair.peer());
  }

  /** A receive is in no list until {@link #end}: a failure meanwhile fails it. */
  public void begin(EngineRequest request) {
    current = request;
  }

  /** The receive of {@link #begin} is in a list again, in the hands of the route, or done. */
  public void end() {
    current = null;
  }

  /** The receive that is next for a message of this slot, taken out, or null. */
  public EngineRequest take(long slot) {
    EngineRequest own = posted.find(slot);
    EngineRequest any = pair.mesh().findAny(slot, pair.peer());
    if (any != null && (own == null || any.isBefore(own))) {
      takeAny(any);
      return any;
    }
    if (own != null) {
      posted.remove(own);
    }
    return own;
  }

  /** Takes a receive from any rank, which this pair will serve. */
  public void takeAny(EngineRequest any) {
    pair.mesh().any().remove(any);
    any.pair = pair;
  }

  /** The receive from any rank that is next for a message of this slot, left in place, or null. */
  public EngineRequest findAny(long slot) {
    return pair.mesh().findAny(slot, pair.peer());
  }

  /** Whether the next receive only stores this much or more. */
  public boolean expectsLarge(long bytes) {
    EngineRequest next = granted.isEmpty() ? posted.first() : granted.first();
    return next != null && next.reduction() == null && next.length() >= bytes;
  }

  /** Whether a receive waits for a message from this peer of which nothing has arrived. */
  public boolean isAsked() {
    return !posted.isEmpty() || !granted.isEmpty();
  }

  /** Whether a receive on one of these slots has not been matched. */
  public boolean awaits(LongPredicate slots) {
    return posted.has(slots) || granted.has(slots);
  }

  void checkHeader(EngineRequest request, long header) {
    check(
        request,
        CreditRoute.slot(header),
        CreditRoute.length(header),
        CreditRoute.fingerprintHigh(header),
        CreditRoute.fingerprintLow(header));
  }

  void check(EngineRequest request, UnexpectedMessage message) {
    check(
        request,
        message.slot(),
        message.length(),
        message.fingerprintHigh(),
        message.fingerprintLow());
  }

  /**
   * Compares a message with the receive it has matched.
   *
   * @throws MismatchException if fingerprints or lengths differ
   */
  public void check(EngineRequest request, long slot, long length, long high, long low) {
    boolean lengthFits =
        length == request.length() || (request.shorterAllowed() && length < request.length());
    boolean same = high == request.fingerprintHigh() && low == request.fingerprintLow();
    if (!lengthFits || !same) {
      throw mismatch(request, slot, length, high, low, same);
    }
  }

  private MismatchException mismatch(
      EngineRequest request, long slot, long length, long high, long low, boolean same) {
    int rank = pair.mesh().rank();
    int peer = pair.peer();
    MismatchException.Side ours =
        new MismatchException.Side(
            rank, slot, request.length(), request.fingerprintHigh(), request.fingerprintLow());
    MismatchException.Side theirs = new MismatchException.Side(peer, slot, length, high, low);
    String difference =
        same
            ? "rank %d expected %d bytes, rank %d sent %d"
                .formatted(rank, request.length(), peer, length)
            : "ranks " + rank + " and " + peer + " are in different calls";
    return new MismatchException(difference + " on slot " + Slot.toString(slot), ours, theirs);
  }

  /** Fails what waits for a peer that has left, but for messages that have arrived. */
  void failWaiting(JGlooException cause) {
    posted.drain(request -> request.failOrWait(cause));
    granted.drain(request -> request.failOrWait(cause));
    announced.drain(message -> fail(message, cause));
    open = 0;
  }

  void failAll(JGlooException cause) {
    failWaiting(cause);
    arrived.drain(message -> fail(message, cause));
    if (current != null) {
      current.fail(cause);
      current = null;
    }
  }

  private void fail(UnexpectedMessage message, JGlooException cause) {
    if (message.claimedBy != null) {
      message.claimedBy.fail(cause);
    }
    pair.mesh().unexpected().giveBack(message);
  }
}
