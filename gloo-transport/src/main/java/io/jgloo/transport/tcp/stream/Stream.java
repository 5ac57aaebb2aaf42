package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.ByteMover;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Matching;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.shm.Borrowing;
import io.jgloo.transport.shm.Lending;
import io.jgloo.transport.shm.MemoryChannel;
import io.jgloo.transport.shm.MemoryLink;
import io.jgloo.transport.shm.SharingPair;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The TCP connection between this rank and one peer, or several if so configured.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: its links, outbox and inbox.
 */
public final class Stream implements ByteMover, SharingPair {

  private final StreamMesh mesh;
  private final EnginePair pair;
  private final StreamRules rules;
  private final Outbox outbox;
  private final Inbox inbox;
  private final Matching matching;
  private Stripes stripes; // null if the pair has one connection
  private Link link;
  private MemoryChannel memory; // null if the bytes go through sockets, as the next two
  private Lending lending;
  private Borrowing borrowing;
  private String where = "";
  private long peerWindow;
  private boolean streamEnded;
  private IOException cannotWrite;

  public Stream(StreamMesh mesh, EnginePair pair) {
    this.mesh = mesh;
    this.pair = pair;
    if (mesh.wire().isGloo()) {
      GlooRoute gloo = new GlooRoute(this);
      rules = gloo;
      outbox = new Outbox(this, gloo.queue());
    } else {
      TcpRoute own = new TcpRoute(this);
      rules = own;
      outbox = new Outbox(this, own.queue());
    }
    inbox = new Inbox(this);
    matching = rules.route().matching();
  }

  public StreamMesh mesh() {
    return mesh;
  }

  @Override
  public EnginePair pair() {
    return pair;
  }

  @Override
  public Matching matching() {
    return matching;
  }

  public StreamRules rules() {
    return rules;
  }

  public Route route() {
    return rules.route();
  }

  public Outbox outbox() {
    return outbox;
  }

  public Inbox inbox() {
    return inbox;
  }

  /** Begins to send a granted message; how much of it goes by the first connection. */
  long beginSend(EngineRequest request, long length, long granule) {
    if (stripes == null) {
      request.begin(length, 1);
      return length;
    }
    return stripes.send(request, length, granule);
  }

  /** Begins to receive a granted message; how much of it comes by the first connection. */
  long beginReceive(EngineRequest request, long length) {
    if (stripes == null) {
      request.begin(length, 1);
      return length;
    }
    return stripes.expect(request, length);
  }

  @Override
  public void flush() {
    outbox.flush();
    if (stripes != null && link != null) {
      stripes.flush();
    }
  }

  /** Has the sockets read from which something is awaited, whatever the poller has said. */
  void lookAgain() {
    link.readable = true;
    if (stripes != null) {
      stripes.lookAgain();
    }
  }

  @Override
  public Link link() {
    return link;
  }

  /** Whether what the peer sends can be read where it has written it. */
  boolean canReadInPlace() {
    return memory != null;
  }

  /** The connection's bytes, if they go through memory; else null. */
  MemoryChannel memory() {
    return memory;
  }

  @Override
  public Lending lending() {
    return lending;
  }

  /** What the peer lends to this rank; null if they share no memory. */
  Borrowing borrowing() {
    return borrowing;
  }

  /** Bytes have arrived that are no message. */
  void noticed(byte[] bytes) {
    if (canReadInPlace() && borrowing.awaitsOffer()) {
      borrowing.takeOffer(bytes);
    } else {
      mesh.receivedAbort(bytes, pair);
    }
  }

  /** Bytes of unexpected messages that the peer holds for this rank. */
  long peerWindow() {
    return peerWindow;
  }

  @Override
  public String where() {
    return where;
  }

  /** Whether it is, or once was, connected. */
  public boolean wasConnected() {
    return !where.isEmpty();
  }

  /**
   * Takes over the connections on which the handshake is complete. Nothing is left of those that
   * they replace, which may be of another kind and of another process.
   */
  public void attach(List<Link> connections, long window) {
    closeParts();
    link = connections.get(0);
    MemoryLink shared = link.canReadInPlace() ? (MemoryLink) link : null;
    memory = shared == null ? null : shared.channel();
    lending = shared == null ? null : new Lending(this, mesh.heap(), memory, outbox.sends());
    borrowing = shared == null ? null : new Borrowing(this, mesh, shared);
    stripes =
        connections.size() > 1
            ? new Stripes(this, connections.subList(1, connections.size()))
            : null;
    connections.forEach(each -> each.descriptor().owner = this);
    connections.forEach(each -> each.keepAlive(mesh.settings().keepAlive()));
    peerWindow = window;
    where = " (" + String.valueOf(link.remoteAddress()).replaceFirst("^[^/]*/", "") + ")";
  }

  /** Its connections, the first of them first; none before they are made and after their end. */
  public List<Link> links() {
    List<Link> all = new ArrayList<>(1);
    if (link != null) {
      all.add(link);
      if (stripes != null) {
        all.addAll(stripes.links());
      }
    }
    return all;
  }

  /** Detaches the connections without closing them. */
  public List<Link> detach() {
    List<Link> all = links();
    link = null;
    return all;
  }

  @Override
  public void ready() {
    if (link == null || mesh.hasEnded()) {
      return;
    }
    try {
      if (link.writable && !rules.holdsBack()) {
        outbox.flush();
      }
      if (link != null && link.readable) {
        inbox.receive();
      }
      if (canReadInPlace()) {
        borrowing.proceed();
        mesh.heap().releaseRetired();
      }
      if (link != null) {
        serveStripes();
      }
      if (cannotWrite != null && link != null && !pair.hasDeparted() && !mesh.hasEnded()) {
        throw cannotWrite;
      }
    } catch (Throwable e) {
      pair.failed(e);
    }
  }

  @Override
  public void control(int opcode, long slot, long length) {
    outbox.control(opcode, slot, length);
  }

  @Override
  public boolean isWriting() {
    return outbox.isWriting();
  }

  @Override
  public void serveAgainLater() {
    mesh.source().serveAgain(this);
  }

  @Override
  public void readInPlace(int bytes) {
    mesh.traffic().readInPlace(bytes);
  }

  @Override
  public void lent(long bytes) {
    mesh.traffic().lent(bytes);
  }

  /** Counts bytes that its first connection has written. */
  void written(long bytes) {
    if (canReadInPlace()) {
      mesh.traffic().writtenShared(bytes);
    } else {
      mesh.traffic().written(bytes);
    }
  }

  /** Counts bytes that its first connection has read; -1 at its end. */
  void read(int bytes) {
    if (canReadInPlace()) {
      mesh.traffic().readShared(bytes);
    } else {
      mesh.traffic().read(bytes);
    }
  }

  /** Goes on with what had to be left, though the socket may hold nothing more. */
  void serveAgain() {
    if (link != null) {
      link.readable = true;
    }
    ready();
  }

  private void serveStripes() throws IOException {
    if (stripes != null) {
      stripes.flush();
      stripes.receive();
    }
    if (streamEnded && !stripesReceive()) {
      mesh.retire(this);
    }
  }

  /**
   * A write has failed. Frames that the peer sent before it broke the connection are still in the
   * socket and name the cause: an abort notice or a goodbye. So they are read to the end first.
   */
  void cannotWrite(IOException cause) {
    cannotWrite = cause;
    link.breaks();
    mesh.source().lookAt(this);
  }

  /** Whether a write has failed and what is left to read has not been read. */
  boolean isBroken() {
    return cannotWrite != null;
  }

  /** Whether a send or a receive on one of these slots is not done. */
  public boolean awaits(LongPredicate slots) {
    return inbox.awaits(slots)
        || outbox.awaits(slots)
        || (canReadInPlace() && (lending.awaits(slots) || borrowing.awaits(slots)))
        || (stripes != null && stripes.awaits(slots));
  }

  /** Whether a receive, or a send that needs a grant, waits for a frame of the peer. */
  boolean awaitsPeer() {
    return matching.isAsked()
        || isReceiving()
        || stripesReceive()
        || outbox.sends().announced().first() != null;
  }

  private boolean stripesReceive() {
    return stripes != null && stripes.receives();
  }

  @Override
  public String medium() {
    if (link instanceof MemoryLink mapped) {
      return "shared memory (" + mapped.segment().kind() + ")";
    }
    return link == null ? "not connected" : "tcp";
  }

  @Override
  public boolean isConnected() {
    return link != null;
  }

  @Override
  public boolean sendsArrays() {
    return !canReadInPlace() && stripes == null && link != null && link.writesArrays();
  }

  @Override
  public void expectMessage() {
    mesh.source().expect(this);
  }

  @Override
  public boolean isReceiving() {
    return inbox.target() != null || (canReadInPlace() && borrowing.isReading());
  }

  @Override
  public boolean isSending() {
    return outbox.isWriting()
        || (canReadInPlace() && lending.isPending())
        || (stripes != null && stripes.sends());
  }

  /**
   * The stream has ended.
   *
   * @throws PeerLostException unless the peer has sent a goodbye before
   */
  void endOfStream(boolean insideMessage) {
    streamEnded = true;
    if (pair.hasDeparted()) {
      if (!stripesReceive()) {
        mesh.retire(this);
      }
      return;
    }
    if (!insideMessage && rules.mayCloseWithoutGoodbye() && !pair.depart()) {
      mesh.retire(this);
      return;
    }
    throw ended(insideMessage);
  }

  /**
   * {@inheritDoc} That is so if memory which both have mapped is a file with a name: a process that
   * has it open may truncate it.
   */
  @Override
  public JGlooException faultOfPeer(InternalError error) {
    boolean named = canReadInPlace() && borrowing.readsFiles();
    String what = " has truncated a file in /dev/shm that it shares with rank " + mesh.rank();
    return named ? new ProtocolException("peer " + pair.peer() + where + what, error) : null;
  }

  /** The exception for a peer that has closed a connection without a goodbye. */
  PeerLostException ended(boolean insideMessage) {
    String inside = insideMessage ? " in the middle of a message" : "";
    int peer = pair.peer();
    String reason = "peer " + peer + where + " closed the connection" + inside;
    return new PeerLostException(peer, reason, null);
  }

  @Override
  public void failSends(JGlooException cause) {
    outbox.failAll(cause);
    if (canReadInPlace()) {
      lending.failAll(cause);
    }
    if (stripes != null) {
      stripes.failSends(cause);
    }
  }

  @Override
  public void failAll(JGlooException cause) {
    inbox.failAll(cause);
    outbox.failAll(cause);
    if (canReadInPlace()) {
      lending.failAll(cause);
      borrowing.failAll(cause);
    }
    if (stripes != null) {
      stripes.failAll(cause);
    }
  }

  public void close() {
    inbox.close();
    outbox.close();
    closeParts();
  }

  /** Gives back what belongs to the connections beside their descriptors. */
  private void closeParts() {
    if (canReadInPlace()) {
      lending.close();
      borrowing.close();
    }
    if (stripes != null) {
      stripes.close();
    }
  }

  @Override
  public String toString() {
    return pair.toString();
  }
}
