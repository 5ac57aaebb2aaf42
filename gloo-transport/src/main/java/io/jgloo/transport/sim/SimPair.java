package io.jgloo.transport.sim;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.Pair;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import java.util.ArrayList;
import java.util.List;

/** The simulated link between this rank and one peer; guarded by the scheduler's lock. */
final class SimPair implements Pair {

  /** A message that no receive has taken. */
  private record Stray(Frame frame, long order) {}

  private final SimMesh mesh;
  private final int peer;
  private final SlotQueues<SimRequest> posted = new SlotQueues<>();
  private final SlotQueues<Stray> strays = new SlotQueues<>();
  private final List<SimRequest> incoming = new ArrayList<>();
  private SimPair other;
  private Stream out;
  private Stream in;
  private boolean attached;
  private boolean departed;
  private long owed;

  SimPair(SimMesh mesh, int peer) {
    this.mesh = mesh;
    this.peer = peer;
  }

  SimMesh mesh() {
    return mesh;
  }

  @Override
  public int peer() {
    return peer;
  }

  // Being connected.

  /** The peer's end, once the two have met. */
  SimPair other() {
    return other;
  }

  Stream out() {
    return out;
  }

  /** Takes a new connection in place of the one there was. */
  void join(SimPair theirs, Stream to, Stream from) {
    other = theirs;
    out = to;
    in = from;
    attached = false;
    strays.drain(stray -> {});
  }

  boolean isJoinedTo(SimPair theirs) {
    return other == theirs && theirs.other == this;
  }

  /** Whether this is the stream of the present connection, and not of one that was reset. */
  boolean listensTo(Stream stream) {
    return in == stream;
  }

  boolean isAttached() {
    return attached;
  }

  void attach() {
    attached = true;
    mesh.roster().changed();
  }

  boolean hasDeparted() {
    return departed;
  }

  // What users call.

  @Override
  public void send(Request request) {
    SimRequest own = mesh.own(request);
    Strand self = mesh.enter();
    try {
      own.post(peer, null, mesh.nextOrder());
      if (departed) {
        mesh.fail(departure(), this);
      }
      if (!mesh.failIfEnded(own)) {
        out.send(own);
      }
    } finally {
      mesh.leave(self);
    }
  }

  @Override
  public void recv(Request request) {
    SimRequest own = mesh.own(request);
    SimMesh.checkGranules(own);
    Strand self = mesh.enter();
    try {
      own.post(peer, null, mesh.nextOrder());
      if (mesh.failIfEnded(own)) {
        return;
      }
      Stray stray = strays.first(own.slot());
      if (stray != null) {
        strays.remove(own.slot(), stray);
        serve(own, stray.frame);
        return;
      }
      posted.add(own.slot(), own);
      if (departed) {
        mesh.fail(departure(), this);
      }
    } finally {
      mesh.leave(self);
    }
  }

  @Override
  public boolean cancel(Request request) {
    SimRequest own = mesh.own(request);
    Strand self = mesh.enter();
    try {
      boolean withdrawn =
          own.state() == Request.State.POSTED
              && (posted.remove(own.slot(), own) || out.cancel(own));
      if (withdrawn) {
        own.cancel();
      }
      return withdrawn;
    } finally {
      mesh.leave(self);
    }
  }

  // Matching.

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
    SimRequest any = mesh.firstAny(slot, peer);
    if (any != null && (own == null || any.order < own.order)) {
      mesh.removeAny(any);
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
      owe(mesh.limits().cost(frame.length()));
    } else if (departed) {
      failWith(recv, departure());
    } else {
      incoming.add(recv);
      out.send(Frame.grant(frame.sender(), recv));
    }
  }

  private void failWith(SimRequest recv, GlooException cause) {
    recv.fail(cause);
    mesh.fail(cause, null);
  }

  private void store(SimRequest recv, Frame frame) {
    try {
      recv.store(frame.payload());
    } catch (RuntimeException e) {
      incoming.remove(recv);
      String what = "a reduction failed at rank " + mesh.rank() + ": " + e;
      failWith(recv, new AbortedException(mesh.rank(), what, e));
      return;
    }
    if (recv.moved == frame.length()) {
      incoming.remove(recv);
      mesh.received(frame.length());
      recv.complete(frame.length(), peer);
    }
  }

  /** A send is out of the user's memory. */
  void sent(SimRequest send) {
    mesh.sent(send.length());
    send.complete(send.length(), peer);
  }

  private void owe(long bytes) {
    owed += bytes;
    if (!departed && !mesh.hasEnded() && 4 * owed >= mesh.limits().unexpectedBytes()) {
      out.send(Frame.credit(owed));
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
    int rank = mesh.rank();
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

  // What arrives.

  void receive(Frame frame) {
    switch (frame.kind()) {
      case WELCOME -> attach();
      case EAGER, ANNOUNCE -> {
        SimRequest recv = take(frame.slot());
        if (recv == null) {
          strays.add(frame.slot(), new Stray(frame, mesh.nextOrder()));
          mesh.unexpected();
        } else {
          serve(recv, frame);
        }
      }
      case GRANT -> out.grant(frame.sender(), frame.receiver());
      case PIECE -> store(frame.receiver(), frame);
      case CREDIT -> out.returnCredit(frame.length());
      case ABORT -> mesh.fail(frame.notice().heardBy(mesh.rank()), this);
      case GOODBYE -> depart();
      case RESET -> reset();
    }
  }

  private void depart() {
    departed = true;
    if (!posted.isEmpty() || !incoming.isEmpty() || out.isBusy() || mesh.anyNeeds(peer)) {
      mesh.fail(departure(), this);
    }
  }

  private void reset() {
    if (mesh.roster().isConnected()) {
      String message = "peer " + peer + " is gone: the connection was reset";
      mesh.fail(new PeerLostException(peer, message, null), this);
      return;
    }
    // While the mesh is being made, another connection may take this one's place.
    join(null, null, null);
    mesh.roster().lost(peer);
  }

  PeerDepartedException departure() {
    return new PeerDepartedException(peer, "peer " + peer + " has left the group");
  }

  // The end.

  void failAll(GlooException cause) {
    List<SimRequest> receives = new ArrayList<>(incoming);
    incoming.clear();
    posted.drain(receives::add);
    strays.drain(stray -> {});
    receives.forEach(recv -> recv.fail(cause));
    if (out != null) {
      out.stop(cause);
    }
  }

  /** Says one last thing to the peer, if there is one that listens. */
  void farewell(Frame last) {
    if (out != null && !departed) {
      out.send(last);
    }
  }

  @Override
  public String toString() {
    return "pair " + mesh.rank() + " to " + peer;
  }
}
