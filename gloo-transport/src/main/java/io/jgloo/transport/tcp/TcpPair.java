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
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The TCP connection between this rank and one peer, or several if that is wished.
 *
 * <p><i>Owns</i>: its links, outbox and inbox. All state is under the mesh's lock.
 */
final class TcpPair implements Pair {

  private final TcpMesh mesh;
  private final int peer;
  private final Outbox outbox = new Outbox(this);
  private final Inbox inbox = new Inbox(this);
  private final Lanes lanes = new Lanes(this);
  private final Flow flow;
  private Link link;
  private String where = "";
  private long peerWindow;
  private boolean departed;
  private boolean streamEnded;
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

  Lanes lanes() {
    return lanes;
  }

  /** The (first) connection, or null before it is made and after it has ended. */
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

  /** Takes over the connections on which both sides have said hello. */
  void attach(List<Link> connections, long window) {
    link = connections.get(0);
    lanes.attach(connections.subList(1, connections.size()));
    connections.forEach(each -> each.owner = this);
    peerWindow = window;
    where = " (" + String.valueOf(link.remoteAddress()).replaceFirst("^[^/]*/", "") + ")";
  }

  /** Its connections, the first of them first; none before they are made and after their end. */
  List<Link> links() {
    List<Link> all = new ArrayList<>(1);
    if (link != null) {
      all.add(link);
      all.addAll(lanes.links());
    }
    return all;
  }

  /** Lets go of the connections without closing them. */
  List<Link> detach() {
    List<Link> all = links();
    link = null;
    return all;
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
      if (link.writable && !flow.holdsBack()) {
        outbox.flush();
      }
      if (link != null && link.readable) {
        inbox.receive();
      }
      if (link != null) {
        receiveByLanes();
      }
      if (cannotWrite != null && link != null && !departed && !mesh.hasEnded()) {
        throw cannotWrite;
      }
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void receiveByLanes() throws IOException {
    lanes.flush();
    lanes.receive();
    if (streamEnded && !lanes.receives()) {
      mesh.retire(this);
    }
  }

  /** Whether something is to be read. */
  boolean receives() {
    return inbox.matching().waits() || lanes.receives();
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

  /** Whether a send or a receive on one of these slots is not done. */
  boolean awaits(LongPredicate slots) {
    return inbox.awaits(slots) || outbox.awaits(slots) || lanes.awaits(slots);
  }

  /** Whether a receive, or a send that needs leave, waits for what the peer says next. */
  boolean awaitsPeer() {
    return receives() || outbox.announced().first() != null;
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
    streamEnded = true;
    if (departed) {
      if (!lanes.receives()) {
        mesh.retire(this);
      }
      return;
    }
    if (!insideMessage && flow.mayEndUntold()) {
      departed = true;
      if (!isNeeded()) {
        mesh.retire(this);
        return;
      }
    }
    throw ended(insideMessage);
  }

  /** What to say when the peer has ended a connection it should not have. */
  PeerLostException ended(boolean insideMessage) {
    String where = insideMessage ? " in the middle of a message" : "";
    return new PeerLostException(
        peer, "peer " + peer + this.where + " closed the connection" + where, null);
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
    lanes.failAll(cause);
  }

  void close() {
    inbox.close();
    outbox.close();
    lanes.close();
  }

  @Override
  public String toString() {
    return "pair " + mesh.rank() + " to " + peer + where;
  }
}
