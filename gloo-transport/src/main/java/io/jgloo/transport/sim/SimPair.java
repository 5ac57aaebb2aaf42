package io.jgloo.transport.sim;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.Pair;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Request;

/** The simulated link between this rank and one peer; guarded by the scheduler's lock. */
final class SimPair implements Pair {

  private final SimMesh mesh;
  private final int peer;
  private final Inbox inbox = new Inbox(this);
  private SimPair other;
  private Stream out;
  private Stream in;
  private boolean attached;
  private boolean departed;

  SimPair(SimMesh mesh, int peer) {
    this.mesh = mesh;
    this.peer = peer;
  }

  SimMesh mesh() {
    return mesh;
  }

  Inbox inbox() {
    return inbox;
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
    departed = false;
    inbox.forget();
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
    own.checkGranules();
    Strand self = mesh.enter();
    try {
      own.post(peer, null, mesh.nextOrder());
      if (mesh.failIfEnded(own) || inbox.post(own)) {
        return;
      }
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
          own.state() == Request.State.POSTED && (inbox.cancel(own) || out.cancel(own));
      if (withdrawn) {
        own.cancel();
      }
      return withdrawn;
    } finally {
      mesh.leave(self);
    }
  }

  /** A send is out of the user's memory. */
  void sent(SimRequest send) {
    mesh.traffic().sent(send.length());
    send.complete(send.length(), peer);
  }

  // What arrives.

  void receive(Frame frame) {
    switch (frame.kind()) {
      case WELCOME -> attach();
      case EAGER, ANNOUNCE -> inbox.message(frame);
      case GRANT -> out.grant(frame.sender(), frame.receiver());
      case PIECE -> inbox.store(frame.receiver(), frame);
      case CREDIT -> out.returnCredit(frame.length());
      case ABORT -> mesh.hear(frame.notice(), this);
      case GOODBYE -> depart();
      case RESET -> reset();
    }
  }

  private void depart() {
    departed = true;
    if (inbox.waits() || out.isBusy() || mesh.any().needs(peer)) {
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
    inbox.failAll(cause);
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
