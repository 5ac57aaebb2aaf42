package io.jgloo.transport.engine;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Pair;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import java.io.IOException;

/**
 * The link between this rank and one peer: posting, withdrawing, and what a failure means.
 *
 * <p><i>Threads</i>: {@link Pair}'s methods by any thread; the rest under the mesh's lock.
 */
public final class EnginePair implements Pair {

  private final EngineMesh mesh;
  private final int peer;
  private Route route;
  private boolean departed;

  EnginePair(EngineMesh mesh, int peer) {
    this.mesh = mesh;
    this.peer = peer;
  }

  void route(Route itsRoute) {
    route = itsRoute;
  }

  public EngineMesh mesh() {
    return mesh;
  }

  @Override
  public int peer() {
    return peer;
  }

  /** How its messages move. */
  public Route route() {
    return route;
  }

  // What users call.

  @Override
  public void send(Request request) {
    EngineRequest own = mesh.own(request);
    mesh.lock();
    try {
      if (mesh.post(own, this)) {
        begin(own, true);
      }
    } finally {
      mesh.unlock();
    }
  }

  @Override
  public void recv(Request request) {
    EngineRequest own = mesh.own(request);
    own.checkGranules();
    mesh.lock();
    try {
      if (mesh.post(own, this)) {
        begin(own, false);
      }
    } finally {
      mesh.unlock();
    }
  }

  private void begin(EngineRequest request, boolean sends) {
    try {
      if (sends) {
        route.send(request);
      } else {
        route.post(request);
        route.mover().expectMessage();
      }
      checkPresent();
      if (!route.mover().isConnected()) {
        mesh.wanted(this);
      }
    } catch (Throwable e) {
      failed(e);
    }
  }

  @Override
  public boolean cancel(Request request) {
    EngineRequest own = mesh.own(request);
    mesh.lock();
    try {
      return own.pair == this && (route.cancelReceive(own) || route.cancelSend(own));
    } finally {
      mesh.unlock();
    }
  }

  /** Gives a message that is here, or announced, to a receive from any rank. */
  void serve(EngineRequest request, UnexpectedMessage message) {
    try {
      route.serve(request, message);
      checkPresent();
    } catch (Throwable e) {
      failed(e);
    }
  }

  // What the route reports.

  public boolean hasDeparted() {
    return departed;
  }

  /**
   * Records that the peer has said goodbye.
   *
   * @throws PeerDepartedException if something is still wanted of it
   */
  public void departed() {
    departed = true;
    checkPresent();
  }

  /** Records that the peer has left or cannot be reached; whether something is wanted of it. */
  public boolean depart() {
    departed = true;
    return isNeeded();
  }

  /**
   * Checks that nothing is wanted of a peer that has left: what had arrived before can be had.
   *
   * @throws PeerDepartedException if something is
   */
  public void checkPresent() {
    if (departed && isNeeded()) {
      throw departure();
    }
  }

  /** Whether something is wanted of the peer; a receive from any rank only if it is the last. */
  private boolean isNeeded() {
    return route.isReceiving() || route.isSending() || mesh.needsAny(peer);
  }

  /** The failure of whoever still wants something of the peer. */
  public PeerDepartedException departure() {
    return new PeerDepartedException(
        peer, "peer " + peer + route.mover().where() + " has left the group");
  }

  /** Turns whatever went wrong on this pair into the failure of the mesh. */
  public void failed(Throwable e) {
    if (e instanceof ProtocolException && !e.getMessage().startsWith("peer ")) {
      String reason = "peer " + peer + route.mover().where() + " sent " + e.getMessage();
      mesh.fail(new ProtocolException(reason, e), null);
    } else if (e instanceof GlooException gloo) {
      mesh.fail(gloo, gloo instanceof PeerLostException ? this : null);
    } else if (e instanceof IOException) {
      String reason =
          "peer " + peer + route.mover().where() + " broke the connection: " + e.getMessage();
      mesh.fail(new PeerLostException(peer, reason, e), this);
    } else {
      String reason = "a reduction failed at rank " + mesh.rank() + ": " + e;
      mesh.fail(new AbortedException(mesh.rank(), reason, e), null);
    }
  }

  void failAll(GlooException cause) {
    route.failAll(cause);
  }

  @Override
  public String toString() {
    return "pair " + mesh.rank() + " to " + peer + route.mover().where();
  }
}
