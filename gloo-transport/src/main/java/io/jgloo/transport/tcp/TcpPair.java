package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.Pair;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import java.io.IOException;

/**
 * The TCP connection between this rank and one peer.
 *
 * <p><i>Owns</i>: its link, outbox and inbox. All state is under the mesh's lock.
 */
final class TcpPair implements Pair {

  private final TcpMesh mesh;
  private final int peer;
  private final Outbox outbox = new Outbox(this);
  private final Inbox inbox = new Inbox(this);
  private final Flow flow;
  private Link link;
  private String where = "";
  private long peerWindow;
  private boolean departed;
  private IOException cannotWrite;

  TcpPair(TcpMesh mesh, int peer) {
    this.mesh = mesh;
    this.peer = peer;
    flow = Flow.of(this);
  }

  TcpMesh mesh() {
    return mesh;
  }

  Outbox outbox() {
    return outbox;
  }

  Inbox inbox() {
    return inbox;
  }

  Flow flow() {
    return flow;
  }

  /** The connection, or null before it is made and after it has ended. */
  Link link() {
    return link;
  }

  /** What the peer is ready to hold for us without having asked. */
  long peerWindow() {
    return peerWindow;
  }

  /** Whether it is, or once was, connected. */
  boolean wasConnected() {
    return !where.isEmpty();
  }

  boolean hasDeparted() {
    return departed;
  }

  /** Takes over a connection on which both sides have said hello. */
  void attach(Link connection, long window) {
    link = connection;
    link.owner = this;
    peerWindow = window;
    where = " (" + String.valueOf(connection.remoteAddress()).replaceFirst("^[^/]*/", "") + ")";
  }

  /** Lets go of the connection without closing it. */
  Link detach() {
    Link connection = link;
    link = null;
    return connection;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public void send(Request request) {
    TcpRequest own = mesh.own(request);
    mesh.lock();
    try {
      if (mesh.post(own, this)) {
        flow.send(own);
        checkPresent();
        if (link == null) {
          mesh.roster().want(this);
        }
      }
    } catch (GlooException e) {
      failed(e);
    } finally {
      mesh.unlock();
    }
  }

  @Override
  public void recv(Request request) {
    TcpRequest own = mesh.own(request);
    own.checkGranules();
    mesh.lock();
    try {
      if (mesh.post(own, this)) {
        match(own);
      }
    } finally {
      mesh.unlock();
    }
  }

  private void match(TcpRequest request) {
    try {
      flow.post(request);
      checkPresent();
      mesh.hotPair().expect(this);
      if (link == null) {
        mesh.roster().want(this);
      }
    } catch (RuntimeException e) {
      failed(e); // a reduction of what was here already may throw anything
    }
  }

  @Override
  public boolean cancel(Request request) {
    TcpRequest own = mesh.own(request);
    mesh.lock();
    try {
      return own.pair == this && (flow.cancelReceive(own) || flow.cancelSend(own));
    } finally {
      mesh.unlock();
    }
  }

  /** Handles readiness; the mesh's lock is held, nothing is thrown. */
  void ready() {
    if (link == null || mesh.hasEnded()) {
      return;
    }
    try {
      if (link.writable) {
        outbox.flush();
      }
      if (link != null && link.readable) {
        inbox.receive();
      }
      if (cannotWrite != null && link != null && !departed && !mesh.hasEnded()) {
        throw cannotWrite;
      }
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  /**
   * A write has failed. What the peer said before it broke the connection is in the socket still
   * and tells more than that: why it gave up, or that it left. So the driver reads to the end
   * first.
   */
  void cannotWrite(IOException cause) {
    cannotWrite = cause;
    link.breaks();
    mesh.hotPair().lookAt(this);
  }

  /** The connection cannot be polled; called without the mesh's lock. */
  void cannotPoll(IOException cause) {
    mesh.lock();
    try {
      failed(cause);
    } finally {
      mesh.unlock();
    }
  }

  /** Whether a write has failed and what is left to read has not been read. */
  boolean isBroken() {
    return cannotWrite != null;
  }

  /** Whether a receive, or a send that needs leave, waits for what the peer says next. */
  boolean awaitsPeer() {
    return inbox.matching().waits() || outbox.announced().first() != null;
  }

  /** Turns whatever went wrong on this pair into the failure of the mesh. */
  void failed(Exception e) {
    if (e instanceof ProtocolException) {
      mesh.fail(new ProtocolException("peer " + peer + where + " sent " + e.getMessage(), e), null);
    } else if (e instanceof GlooException gloo) {
      mesh.fail(gloo, gloo instanceof PeerLostException ? this : null);
    } else if (e instanceof IOException) {
      String reason = "peer " + peer + where + " broke the connection: " + e.getMessage();
      mesh.fail(new PeerLostException(peer, reason, e), this);
    } else {
      mesh.fail(
          new AbortedException(
              mesh.rank(), "a reduction failed at rank " + mesh.rank() + ": " + e, e),
          null);
    }
  }

  /**
   * The stream has ended.
   *
   * @throws PeerLostException unless the peer has said good-bye before
   */
  void endOfStream(boolean insideMessage) {
    if (departed) {
      mesh.retire(this);
      return;
    }
    if (!insideMessage && flow.mayEndUntold()) {
      departed = true;
      if (!isNeeded()) {
        mesh.retire(this);
        return;
      }
    }
    throw new PeerLostException(
        peer,
        "peer "
            + peer
            + where
            + " closed the connection"
            + (insideMessage ? " in the middle of a message" : ""),
        null);
  }

  /**
   * The peer has said good-bye.
   *
   * @throws PeerDepartedException if something is still wanted of it
   */
  void departed() {
    departed = true;
    checkPresent();
  }

  /** What had arrived before a peer left can be had; nothing else. */
  private void checkPresent() {
    if (departed && isNeeded()) {
      throw departure();
    }
  }

  /** The peer cannot be reached; whether something is wanted of it. */
  boolean isMissed() {
    departed = true;
    return isNeeded();
  }

  /** Whether something is still wanted of the peer; a receive from any only if it is the last. */
  private boolean isNeeded() {
    return inbox.matching().waits() || outbox.isPending() || mesh.any().needs(peer);
  }

  /** Gives a message that is here, or announced, to a receive from any. */
  void serve(TcpRequest request, Stray stray) {
    try {
      flow.serve(request, stray);
      checkPresent();
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  PeerDepartedException departure() {
    return new PeerDepartedException(peer, "peer " + peer + where + " has left the group");
  }

  /**
   * Holds a message against the receive it has matched.
   *
   * @throws MismatchException if fingerprints or lengths differ
   */
  void check(TcpRequest request, long slot, long length, long high, long low) {
    boolean lengthFits =
        length == request.length() || (request.shorterAllowed() && length < request.length());
    boolean same = high == request.fingerprintHigh() && low == request.fingerprintLow();
    if (lengthFits && same) {
      return;
    }
    MismatchException.Side ours =
        new MismatchException.Side(
            mesh.rank(),
            slot,
            request.length(),
            request.fingerprintHigh(),
            request.fingerprintLow());
    MismatchException.Side theirs = new MismatchException.Side(peer, slot, length, high, low);
    String difference =
        same
            ? "rank "
                + mesh.rank()
                + " expected "
                + request.length()
                + " bytes"
                + ", rank "
                + peer
                + " sent "
                + length
            : "ranks " + mesh.rank() + " and " + peer + " are in different calls";
    throw new MismatchException(difference + " on slot " + Slot.toString(slot), ours, theirs);
  }

  /** Fails every request; the user's memory is not touched any more. */
  void failAll(GlooException cause) {
    inbox.failAll(cause);
    outbox.failAll(cause);
  }

  void close() {
    inbox.close();
    outbox.close();
  }

  @Override
  public String toString() {
    return "pair " + mesh.rank() + " to " + peer + where;
  }
}
