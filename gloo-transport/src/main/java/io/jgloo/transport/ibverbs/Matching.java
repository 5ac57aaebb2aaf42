package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.Memory;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Slot;

/**
 * Brings messages of a pair together with its receives: per slot, in order of arrival and posting.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the memory of messages nobody has asked
 * for yet, at most a window of it.
 */
final class Matching {

  /** Most messages a peer may have announced that no receive has taken; as for tcp. */
  private static final int MAX_ANNOUNCED = 1 << 20;

  private final IbverbsPair pair;
  private final Landings landings;
  private final RequestList posted = new RequestList();
  private final StrayList strays = new StrayList();
  private IbverbsRequest serving;
  private int announcedStrays;
  private long strayCost;
  private long eagerMatched;
  private long eagerTold;

  Matching(IbverbsPair pair) {
    this.pair = pair;
    landings = new Landings(pair);
  }

  Landings landings() {
    return landings;
  }

  /** Posts a receive, or serves it with a message that is here already. */
  void post(IbverbsRequest request) {
    Stray stray = find(request.slot());
    if (stray == null) {
      posted.add(request);
    } else {
      serve(request, stray);
    }
  }

  /** The oldest message of a slot that no receive has taken, or null. */
  Stray find(long slot) {
    return strays.find(slot);
  }

  /** Gives a message that is here, or announced, to a receive. */
  void serve(IbverbsRequest request, Stray stray) {
    serving = request;
    long length = stray.length;
    check(request, stray.slot, length, stray.fingerprintHigh, stray.fingerprintLow);
    if (stray.announced) {
      announcedStrays--;
      int message = stray.message;
      strays.recycle(stray);
      landings.begin(request, message, length);
    } else {
      store(request, 0, stray.memory(), length);
      strays.recycle(stray);
      strayCost -= Outbox.cost(length);
      eagerMatched += Outbox.cost(length);
      request.complete(length, pair.peer());
      pair.mesh().touch(pair); // there may be credit to tell
    }
    serving = null;
  }

  /** Stores or reduces bytes into a receive. */
  static void store(IbverbsRequest request, long offset, long from, long count) {
    Reduction reduction = request.reduction();
    if (count == 0) {
      return;
    }
    if (reduction == null) {
      Memory.copy(from, request.address() + offset, count);
      return;
    }
    if (count % reduction.granule() != 0) {
      throw new ProtocolException(
          count + " bytes, which are no whole elements of " + reduction.granule());
    }
    request.queue.mesh().reductions.run(reduction, request.address() + offset, from, count);
  }

  /** A message has come with its bytes. */
  void eager(long frame) {
    long length = Frame.length(frame);
    IbverbsRequest request = take(Frame.slot(frame));
    if (request == null) {
      strayCost += Outbox.cost(length);
      long window = pair.mesh().settings().windowBytes();
      if (strayCost > window) {
        throw new ProtocolException("more than " + window + " bytes that nobody asked for");
      }
      strays.add(frame, false, pair.mesh().nextOrder());
      return;
    }
    serving = request;
    check(request, frame);
    store(request, 0, frame + Frame.BYTES, length);
    eagerMatched += Outbox.cost(length);
    serving = null;
    request.complete(length, pair.peer());
  }

  /** A message was announced. */
  void announced(long frame) {
    IbverbsRequest request = take(Frame.slot(frame));
    if (request == null) {
      if (++announcedStrays > MAX_ANNOUNCED) {
        throw new ProtocolException(
            "more than " + MAX_ANNOUNCED + " announcements of messages that nobody asked for");
      }
      strays.add(frame, true, pair.mesh().nextOrder());
      return;
    }
    serving = request;
    check(request, frame);
    landings.begin(request, Frame.message(frame), Frame.length(frame));
    serving = null;
  }

  private void check(IbverbsRequest request, long frame) {
    check(
        request,
        Frame.slot(frame),
        Frame.length(frame),
        Frame.fingerprintHigh(frame),
        Frame.fingerprintLow(frame));
  }

  /**
   * Holds a message against the receive it has matched.
   *
   * @throws MismatchException if fingerprints or lengths differ
   */
  private void check(IbverbsRequest request, long slot, long length, long high, long low) {
    boolean lengthFits =
        length == request.length() || (request.shorterAllowed() && length < request.length());
    boolean same = high == request.fingerprintHigh() && low == request.fingerprintLow();
    if (lengthFits && same) {
      return;
    }
    MismatchException.Side ours =
        new MismatchException.Side(
            pair.mesh().rank(),
            slot,
            request.length(),
            request.fingerprintHigh(),
            request.fingerprintLow());
    MismatchException.Side theirs =
        new MismatchException.Side(pair.peer(), slot, length, high, low);
    String difference =
        same
            ? "rank %d expected %d bytes, rank %d sent %d"
                .formatted(pair.mesh().rank(), request.length(), pair.peer(), length)
            : "ranks " + pair.mesh().rank() + " and " + pair.peer() + " are in different calls";
    throw new MismatchException(difference + " on slot " + Slot.toString(slot), ours, theirs);
  }

  /** The receive that is next for a message of this slot, taken out, or null. */
  private IbverbsRequest take(long slot) {
    IbverbsRequest own = posted.find(slot, -1);
    IbverbsRequest any = pair.mesh().any().find(slot, pair.peer());
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

  /** The peer withdrew what this receive had asked for: it waits for the next message. */
  void postAgain(IbverbsRequest request) {
    Stray stray = find(request.slot());
    if (stray != null) {
      serve(request, stray);
    } else if (request.peers != null) {
      pair.mesh().any().post(request);
    } else {
      posted.addFirst(request);
    }
  }

  /** Withdraws a receive no message has been matched with; false if it is too late. */
  boolean cancel(IbverbsRequest request) {
    if (!posted.remove(request)) {
      return false;
    }
    request.cancel();
    return true;
  }

  /** Whether a receive waits for this peer. */
  boolean waits() {
    return !posted.isEmpty() || landings.isBusy();
  }

  /** The eager cost matched so far; the frame that carries it tells the peer. */
  long creditToTell() {
    eagerTold = eagerMatched;
    return eagerMatched;
  }

  boolean owesCredit() {
    return eagerMatched - eagerTold >= pair.mesh().settings().windowBytes() / 4;
  }

  void failAll(GlooException cause) {
    posted.drain(request -> request.fail(cause));
    landings.failAll(cause);
    if (serving != null && !serving.isDone()) {
      serving.fail(cause);
    }
    serving = null;
    strays.close();
  }
}
