package io.jgloo.transport.sim;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.Slot;
import java.util.ArrayList;
import java.util.List;

/** The receiving end of a simulated pair: matches messages with receives, each slot in order. */
final class Inbox {

  /** A message that no receive has taken. */
  private record Stray(Frame frame, long order) {}

  private final SimPair pair;
  private final SlotQueues<SimRequest> posted = new SlotQueues<>();
  private final SlotQueues<Stray> strays = new SlotQueues<>();

  /** Receives whose announced messages were asked for. */
  private final List<SimRequest> incoming = new ArrayList<>();

  /** Eager bytes that have found their receives, and the peer does not know yet. */
  private long owed;

  Inbox(SimPair pair) {
    this.pair = pair;
  }

  /** Serves a receive with a message that is here; if there is none, keeps it: false. */
  boolean post(SimRequest recv) {
    Stray stray = strays.first(recv.slot());
    if (stray == null) {
      posted.add(recv.slot(), recv);
      return false;
    }
    strays.remove(recv.slot(), stray);
    serve(recv, stray.frame);
    return true;
  }

  /** Takes back a receive that no message has matched; false if it is not here. */
  boolean cancel(SimRequest recv) {
    return posted.remove(recv.slot(), recv);
  }

  /** Whether the peer is needed for a receive. */
  boolean waits() {
    return !posted.isEmpty() || !incoming.isEmpty();
  }

  /** A message has arrived, or its announcement. */
  void message(Frame frame) {
    SimRequest recv = take(frame.slot());
    if (recv == null) {
      strays.add(frame.slot(), new Stray(frame, pair.mesh().nextOrder()));
      pair.mesh().traffic().unexpected();
    } else {
      serve(recv, frame);
    }
  }

  /** Place in order of arrival of the oldest message on a slot, or {@link Long#MAX_VALUE}. */
  long earliest(long slot) {
    Stray stray = strays.first(slot);
    return stray == null ? Long.MAX_VALUE : stray.order;
  }

  /** Serves a receive from any with the oldest message on its slot. */
  void serveEarliest(SimRequest request) {
    Stray stray = strays.first(request.slot());
    strays.remove(request.slot(), stray);
    serve(request, stray.frame);
  }

  private SimRequest take(long slot) {
    SimRequest own = posted.first(slot);
    SimRequest any = pair.mesh().any().first(slot, pair.peer());
    if (any != null && (own == null || any.order < own.order)) {
      pair.mesh().any().remove(any);
      return any;
    }
    if (own != null) {
      posted.remove(slot, own);
    }
    return own;
  }

  private void serve(SimRequest recv, Frame frame) {
    MismatchException mismatch = mismatch(recv, frame);
    if (mismatch != null) {
      failWith(recv, mismatch);
    } else if (frame.kind() == Frame.Kind.EAGER) {
      store(recv, frame);
      owe(pair.mesh().limits().cost(frame.length()));
    } else if (pair.hasDeparted()) {
      failWith(recv, pair.departure());
    } else {
      incoming.add(recv);
      pair.out().send(Frame.grant(frame.sender(), recv));
    }
  }

  private void failWith(SimRequest recv, GlooException cause) {
    recv.fail(cause);
    pair.mesh().fail(cause, null);
  }

  /** Stores or reduces bytes that belong to a receive. */
  void store(SimRequest recv, Frame frame) {
    try {
      recv.store(frame.payload());
    } catch (Throwable e) {
      incoming.remove(recv);
      String what = "a reduction failed at rank " + pair.mesh().rank() + ": " + e;
      GlooException thrown = new AbortedException(pair.mesh().rank(), what, e);
      failWith(recv, pair.mesh().reductions.first(thrown));
      return;
    }
    if (recv.moved == frame.length()) {
      incoming.remove(recv);
      pair.mesh().traffic().received(frame.length());
      recv.complete(frame.length(), pair.peer());
    }
  }

  private void owe(long bytes) {
    owed += bytes;
    if (!pair.hasDeparted()
        && !pair.mesh().hasEnded()
        && 4 * owed >= pair.mesh().limits().unexpectedBytes()) {
      pair.out().send(Frame.credit(owed));
      owed = 0;
    }
  }

  private MismatchException mismatch(SimRequest recv, Frame frame) {
    boolean lengthFits =
        frame.length() == recv.length()
            || (recv.shorterAllowed() && frame.length() < recv.length());
    boolean same = frame.high() == recv.fingerprintHigh() && frame.low() == recv.fingerprintLow();
    if (lengthFits && same) {
      return null;
    }
    long slot = recv.slot();
    int rank = pair.mesh().rank();
    int peer = pair.peer();
    String message =
        same
            ? "rank %d expected %d bytes, but rank %d sent %d on slot %s"
                .formatted(rank, recv.length(), peer, frame.length(), Slot.toString(slot))
            : "ranks %d and %d are in different calls on slot %s"
                .formatted(rank, peer, Slot.toString(slot));
    return new MismatchException(
        message,
        new MismatchException.Side(
            rank, slot, recv.length(), recv.fingerprintHigh(), recv.fingerprintLow()),
        new MismatchException.Side(peer, slot, frame.length(), frame.high(), frame.low()));
  }

  /** Drops messages that nobody will take. */
  void forget() {
    strays.drain(stray -> {});
    owed = 0;
  }

  void failAll(GlooException cause) {
    List<SimRequest> receives = new ArrayList<>(incoming);
    incoming.clear();
    posted.drain(receives::add);
    forget();
    receives.forEach(recv -> recv.fail(cause));
  }
}
