package io.jgloo.transport.engine;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.Pair;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The link between this rank and one peer: posting, withdrawing, and what a failure means.
 *
 * <p><i>Threads</i>: {@link Pair}'s methods by any thread; the rest under the mesh's lock.
 */
public final class EnginePair implements Pair {

  private final EngineMesh mesh;
  private final int peer;
  private Route route;
  private volatile boolean departed;

  /** The last call of a peer that has left, where its goodbye names it. */
  private MismatchException.Side lastCall;

  /**
   * Why the pair ended while the mesh goes on; messages of a peer that has left may still be
   * received.
   */
  private volatile JGlooException failure;

  private long endOrder;

  /** The route of the next connection, once the pair has ended. */
  private Route next;

  /** Receives from any rank that wait for other ranks, since this one is lost. */
  private final List<EngineRequest> released = new ArrayList<>(0);

  EnginePair(EngineMesh mesh, int peer) {
    this.mesh = mesh;
    this.peer = peer;
  }

  void route(Route route) {
    this.route = route;
  }

  public EngineMesh mesh() {
    return mesh;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public Optional<JGlooException> failure() {
    return Optional.ofNullable(failure).or(mesh::failure);
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
      boolean fits = own.array() == null || route.mover().sendsArrays();
      if (!fits && route.mover().isConnected()) {
        throw new IllegalArgumentException(this + " sends no arrays");
      }
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

  @Override
  public boolean sendsArrays() {
    mesh.lock();
    try {
      return route.mover().sendsArrays();
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
  public String medium() {
    mesh.lock();
    try {
      return route.mover().medium();
    } finally {
      mesh.unlock();
    }
  }

  /** Withdraws a request that is posted here; false if it is too late. */
  boolean cancel(EngineRequest request) {
    return route.cancelReceive(request) || route.cancelSend(request);
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

  @Override
  public boolean hasDeparted() {
    return departed;
  }

  /**
   * Records that the peer has sent a goodbye.
   *
   * @throws PeerDepartedException if a request still needs it
   */
  public void departed() {
    departed = true;
    if (mesh.isPairwise()) {
      leave();
    } else {
      checkPresent();
    }
  }

  /** Records that the peer has sent a goodbye that names its last call. */
  public void departed(MismatchException.Side last) {
    lastCall = last;
    departed();
  }

  /** Records that the peer has left or cannot be reached; whether a request needs it. */
  public boolean depart() {
    departed = true;
    return isNeeded();
  }

  /**
   * Checks that no request needs a peer that has left; messages that had arrived can still be
   * received.
   *
   * @throws PeerDepartedException if a request does
   * @throws MismatchException if it belongs to another call than the last one of the peer
   */
  public void checkPresent() {
    if (departed && isNeeded()) {
      EngineRequest request = lastCall == null ? null : route.awaiting(lastCall.slot());
      throw request == null
          ? departure()
          : departure(
              new MismatchException.Side(
                  mesh.rank(),
                  request.slot(),
                  request.length(),
                  request.fingerprintHigh(),
                  request.fingerprintLow()));
    }
  }

  /** Whether a request needs the peer; a receive from any rank only if it is the last. */
  private boolean isNeeded() {
    return route.isReceiving() || route.isSending() || mesh.needsAny(peer);
  }

  /** Whether a send or a receive waits for the peer. */
  public boolean isWanted() {
    return route.isReceiving() || route.isSending() || mesh.anyListensTo(peer);
  }

  /** The failure of requests that still need the peer. */
  public PeerDepartedException departure() {
    if (failure instanceof PeerDepartedException earlier) {
      return earlier;
    }
    return new PeerDepartedException(
        peer, "peer " + peer + route.mover().where() + " has left the group");
  }

  /** The same, or a mismatch if the peer made another call in the slot of this one. */
  public JGlooException departure(MismatchException.Side call) {
    if (lastCall == null
        || lastCall.slot() != call.slot()
        || (lastCall.fingerprintHigh() == call.fingerprintHigh()
            && lastCall.fingerprintLow() == call.fingerprintLow())) {
      return departure();
    }
    String slot = Slot.toString(call.slot());
    return new MismatchException(
        "rank " + peer + " has left the group after another call on slot " + slot, call, lastCall);
  }

  /** Turns an exception on this pair into the failure of the mesh, or of this pair. */
  public void failed(Throwable e) {
    if (e instanceof ProtocolException && !e.getMessage().startsWith("peer ")) {
      String reason = "peer " + peer + route.mover().where() + " sent " + e.getMessage();
      fail(new ProtocolException(reason, e), null);
    } else if (e instanceof JGlooException gloo) {
      fail(gloo, gloo instanceof PeerLostException ? this : null);
    } else if (e instanceof IOException) {
      String reason =
          "peer " + peer + route.mover().where() + " broke the connection: " + e.getMessage();
      fail(new PeerLostException(peer, reason, e), this);
    } else {
      JGlooException peers =
          e instanceof InternalError fault ? route.mover().faultOfPeer(fault) : null;
      fail(peers == null ? ownFailure(e) : peers, null);
    }
  }

  private AbortedException ownFailure(Throwable e) {
    int rank = mesh.rank();
    String reason = "rank " + rank + " failed: " + e;
    if (e instanceof OutOfMemoryError) {
      reason = "there is no memory at rank " + rank + ": " + e;
    } else if (mesh.threwInReduction(e)) {
      reason = "a reduction failed at rank " + rank + ": " + e;
    }
    return new AbortedException(rank, reason, e);
  }

  /**
   * Ends the mesh or, with failure scope pairwise, this pair. The lock is held.
   *
   * @param source this pair if its peer is lost or knows the cause already, or null
   */
  public void fail(JGlooException cause, EnginePair source) {
    if (!mesh.isPairwise() || mesh.isAbortedByReduction()) {
      mesh.fail(cause, source);
    } else if (mesh.isReducing()) {
      mesh.endLater(() -> fail(cause, source));
    } else if (!mesh.hasEnded()) {
      end(cause, source);
    }
  }

  private void end(JGlooException cause, EnginePair source) {
    if (next == null) { // else it has ended before
      if (failure == null) {
        markEnded(cause);
      }
      replaceRoute(cause, source);
    }
  }

  /** The peer has left: what has arrived can be received still. */
  private void leave() {
    markEnded(departure());
    released(
        () -> {
          route.failWaiting(failure);
          route = new EndedRoute(this, failure, route);
          mesh.failHopelessAny(failure);
        });
  }

  private void markEnded(JGlooException cause) {
    failure = cause;
    endOrder = mesh.nextOrder();
  }

  private void replaceRoute(JGlooException cause, EnginePair source) {
    released(
        () -> {
          Route old = route;
          old.failAll(cause);
          mesh.ended(this, cause, source);
          route = new EndedRoute(this, failure, old);
          next = mesh.newRoute(this);
          mesh.failHopelessAny(cause);
        });
  }

  /** Does what may release receives from any rank, and posts those again. */
  private void released(Runnable ending) {
    ending.run();
    List<EngineRequest> again = List.copyOf(released);
    released.clear();
    again.forEach(request -> mesh.any().postAgain(request));
    mesh.lookAgain();
  }

  /**
   * Makes a pair that has ended one that can be connected, as if nothing had been posted on it.
   * Messages of the old connection are gone. The lock is held.
   */
  public void renew() {
    if (next == null) {
      replaceRoute(failure, this); // the peer had left
    }
    route = next;
    next = null;
    departed = false;
    lastCall = null;
    failure = null;
  }

  /** Whether it is connected or may be: it has not ended. */
  public boolean isOpen() {
    return failure == null;
  }

  /** Whether no message can come that has not arrived. */
  boolean isGone() {
    return departed || failure != null;
  }

  /** Place of its end in the order of posting and arrival. */
  long endOrder() {
    return endOrder;
  }

  /** Lets a receive from any rank wait for others; false if it cannot and must fail. */
  boolean release(EngineRequest request) {
    boolean lost = failure instanceof PeerLostException;
    boolean mayWait = failure != null && (!request.hasBegun() || (lost && request.isPlain()));
    if (mayWait && !mesh.hasEnded() && !released.contains(request)) {
      released.add(request);
      request.restart();
    }
    return mayWait && !mesh.hasEnded();
  }

  void failAll(JGlooException cause) {
    route.failAll(cause);
  }

  @Override
  public String toString() {
    return "pair " + mesh.rank() + " to " + peer + route.mover().where();
  }
}
