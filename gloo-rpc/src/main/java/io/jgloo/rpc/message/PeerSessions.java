package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.message.AgentRecords.AgentRecord;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The sessions with all peers: sends what waits, notices what is lost, hands on what arrives.
 *
 * <p><i>Threads</i>: the one that runs the agent's events, but for {@link #nextTimer}.
 */
final class PeerSessions {

  /** Takes frames to be sent; each is followed by a {@link #sent}. */
  @FunctionalInterface
  interface Outlet {
    void send(int rank, byte[] frame, int length);
  }

  private static final int FRAMES_UNDER_WAY = 8;
  private static final long LOOK_NANOS = 20_000_000;
  private static final long IDLE_NANOS = 50_000_000;

  private final AgentId self;
  private final List<Peer> peers;
  private final Clock clock;
  private final Events events;
  private final MessengerState listener;
  private final List<Peer> marked = new ArrayList<>();
  private final byte[] scratch;

  @SuppressWarnings("NullAway.Init") // set by open
  private MeshIo port;

  @SuppressWarnings("NullAway.Init") // set by open
  private Outlet outlet;

  private long lookAt;
  private volatile long nextTimer;
  private volatile Runnable disconnected = () -> {};
  private boolean closed;
  private long foreignFrames;
  private long framesSent;
  private long framesReceived;

  PeerSessions(
      AgentId self,
      List<Peer> peers,
      int frameBytes,
      Clock clock,
      Events events,
      MessengerState listener) {
    this.self = self;
    this.peers = peers;
    this.clock = clock;
    this.events = events;
    this.listener = listener;
    scratch = new byte[frameBytes];
    lookAt = clock.nanoTime();
    nextTimer = lookAt;
  }

  /**
   * @param port what moves the frames
   * @param onDisconnect runs when a connection was found to be lost; must not block
   */
  void open(MeshIo port, Runnable onDisconnect) {
    this.port = port;
    outlet = port::send;
    disconnected = onDisconnect;
    port.open();
  }

  Events events() {
    return events;
  }

  /** Puts something between this and the port, such as loss. */
  void outlet(UnaryOperator<Outlet> around) {
    outlet = around.apply(outlet);
  }

  // Sending.

  /** Sends a message to the peer's present life in its turn. */
  void submit(Peer peer, Outbound message) {
    if (peer.session == null) {
      message.dropped(peer.loss);
    } else {
      peer.session.submit(message);
      mark(peer);
    }
  }

  /** Gives the sender of a message its credit back. */
  void release(Peer peer, AgentId life, int bytes) {
    if (life.equals(peer.id())) {
      peer.held -= bytes;
      peer.session.release(bytes, clock.nanoTime());
      mark(peer);
    }
  }

  private void mark(Peer peer) {
    if (!peer.isMarked) {
      peer.isMarked = true;
      marked.add(peer);
    }
  }

  /** Sends what events have made due, and sets the timer. */
  void flush() {
    if (closed || port == null) {
      return;
    }
    long now = clock.nanoTime();
    if (now - nextTimer >= 0) {
      tick(now);
    }
    for (int i = 0; i < marked.size(); i++) {
      Peer peer = marked.get(i);
      peer.isMarked = false;
      send(peer, now);
    }
    marked.clear();
  }

  private void send(Peer peer, long now) {
    Session session = peer.session;
    if (session == null || !peer.isConnected) {
      return;
    }
    while (peer.framesUnderWay < FRAMES_UNDER_WAY && session.hasFrame()) {
      int length = session.fill(scratch, now);
      peer.framesUnderWay++;
      framesSent++;
      outlet.send(peer.rank, scratch, length);
    }
    setTimer(session.timer(nextTimer));
  }

  private void setTimer(long at) {
    if (at - nextTimer < 0) {
      nextTimer = at;
    }
  }

  /** A frame has been sent. */
  void sent(int rank) {
    Peer peer = peers.get(rank);
    peer.framesUnderWay--;
    mark(peer);
  }

  // Time.

  /** When {@link #flush} is to be called at the latest. */
  long nextTimer() {
    return nextTimer;
  }

  private void tick(long now) {
    nextTimer = now + IDLE_NANOS;
    boolean look = now - lookAt >= 0;
    if (look) {
      lookAt = now + LOOK_NANOS;
    }
    for (Peer peer : peers) {
      if (peer.session != null) {
        if (look && peer.isConnected) {
          check(peer);
        }
        tick(peer, now);
      }
    }
    listener.tick(now);
    setTimer(lookAt);
  }

  private void tick(Peer peer, long now) {
    if (peer.session != null && peer.isConnected) {
      peer.session.tick(now);
      if (peer.session.hasFrame()) {
        mark(peer);
      }
      setTimer(peer.session.timer(nextTimer));
    }
  }

  /** Wants a tick at this instant or before. */
  void wantTick(long at) {
    setTimer(at);
  }

  // Lives and connections.

  /** Begins a life of a peer. */
  void begin(Peer peer, AgentRecord record) {
    long window = record.window();
    peer.begin(
        record.id(),
        record.name(),
        new Session(self.incarnation(), record.id().incarnation(), window, clock.nanoTime()));
    peer.disconnectedAt = clock.nanoTime();
  }

  /** The peer's present life, if it is this one, is connected. */
  void connected(Peer peer, AgentId life) {
    if (life.equals(peer.id()) && !peer.isConnected && port.failure(peer.rank) == null) {
      peer.isConnected = true;
      peer.session.connected(clock.nanoTime());
      port.receiveAgain();
      mark(peer);
      listener.connected(peer);
    }
  }

  /** Looks whether the connection of a peer has ended. */
  void check(Peer peer) {
    JGlooException cause = peer.isConnected ? port.failure(peer.rank) : null;
    if (cause instanceof PeerDepartedException) {
      lost(peer, peer.id(), cause);
    } else if (cause != null) {
      peer.isConnected = false;
      peer.disconnectedAt = clock.nanoTime();
      disconnected.run();
    }
  }

  /** Ends a life of a peer, if it is the present one. */
  void lost(Peer peer, AgentId life, JGlooException cause) {
    if (life != null && life.equals(peer.id())) {
      Session session = peer.end(cause);
      session.end(cause);
      listener.lost(peer, life, cause);
      disconnected.run();
    }
  }

  /** Ends the present lives of all peers, and sends nothing more. */
  void close(JGlooException cause) {
    for (Peer peer : peers) {
      if (peer.session != null) {
        lost(peer, peer.id(), cause);
      }
      peer.loss = cause;
    }
    closed = true;
  }

  // Receiving.

  void received(int rank, byte[] frame, int length) {
    framesReceived++;
    Peer peer = peers.get(rank);
    long now = clock.nanoTime();
    try {
      if (Session.isFence(frame, length, self.incarnation(), peer.id())) {
        throw new PeerLostException(rank, "agent " + peer.id() + " counts this one as lost", null);
      }
      boolean ours =
          peer.session != null
              && peer.session.accept(
                  frame,
                  length,
                  now,
                  (bytes, offset, bytesLength) -> {
                    if (peer.session != null) {
                      peer.connection = Session.connection(bytes);
                      listener.received(peer, bytes, offset, bytesLength);
                    }
                  });
      if (ours) {
        mark(peer);
        listener.acknowledged(peer);
        if (peer.session != null) {
          setTimer(peer.session.timer(nextTimer));
        }
      } else {
        refuse(rank, frame, length);
      }
    } catch (ProtocolException | PeerLostException e) {
      lost(peer, peer.id(), e);
    }
  }

  /** Answers a frame of a life that counts as lost, so that it learns of it. */
  private void refuse(int rank, byte[] frame, int length) {
    foreignFrames++;
    int fence = Session.fence(scratch, frame, length, self.incarnation());
    if (fence > 0 && port.failure(rank) == null) {
      peers.get(rank).framesUnderWay++;
      port.send(rank, scratch, fence);
    }
  }

  long framesSent() {
    return framesSent;
  }

  long framesReceived() {
    return framesReceived;
  }

  /** Frames of lives that are not the present ones. */
  long foreignFrames() {
    return foreignFrames;
  }
}
