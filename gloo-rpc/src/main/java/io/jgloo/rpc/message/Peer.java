package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.JGlooException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;

/**
 * The state of one rank at a messenger: its present life, the session with it, and its connection.
 *
 * <p><i>Threads</i>: the one that runs the agent's events, but for {@link #id}, {@link #name} and
 * {@link #isConnected}.
 */
@NullUnmarked // what belongs to a life is null while there is none
final class Peer {

  final int rank;
  private volatile AgentId id;
  private volatile String name;
  Session session;

  /** Whether the connection of the present life is made; frames are sent then. */
  volatile boolean isConnected;

  /** When the connection was found to be lost, if it is. */
  volatile long disconnectedAt;

  /** Whether it has something for {@link PeerSessions} to send. */
  boolean isMarked;

  /** Whether the peer has said that it needs no more of this agent. */
  boolean leaving;

  /** Whether the peer has said that its start has ended. */
  volatile boolean started;

  /** What the peer has said of its requests and calls each time it was idle in its shutdown. */
  final List<Long> idleReports = new ArrayList<>();

  /** Bytes of replies that it has not taken. */
  final AtomicLong replies = new AtomicLong();

  /** Requests that wait because it does not take its replies. */
  final ArrayDeque<Runnable> parked = new ArrayDeque<>();

  /** Bytes of its credit in use. */
  long held;

  /** Frames in the hands of the transport. */
  int framesUnderWay;

  /** Number of the peer's connection that its last frame came by. */
  int connection;

  /** Requests of the peer that have not been answered, by call. */
  final Map<Long, IncomingRequest> requests = new HashMap<>();

  /** Requests to the peer that have no outcome, by call. */
  final Map<Long, PendingCall> calls = new HashMap<>();

  /** Bytes of bodies longer than a frame that it has not fetched. */
  final AtomicLong bodies = new AtomicLong();

  /** Why its last life ended, or null. */
  JGlooException loss;

  Peer(int rank) {
    this.rank = rank;
  }

  /** Its present life, or null if it has none that is known. */
  AgentId id() {
    return id;
  }

  String name() {
    return name;
  }

  /** Bytes of requests and control messages that this agent keeps for it. */
  long kept() {
    return (session == null ? 0 : session.queued()) + bodies.get();
  }

  /** A new life begins. */
  void begin(AgentId newId, String newName, Session newSession) {
    id = newId;
    name = newName;
    session = newSession;
    isConnected = false;
    leaving = false;
    connection = 0;
    loss = null;
    requests.clear();
    started = false;
    idleReports.clear();
    parked.clear();
    held = 0;
  }

  /** Its life has ended; returns the session, whose messages are to be dropped. */
  Session end(JGlooException cause) {
    Session ended = session;
    id = null;
    session = null;
    isConnected = false;
    loss = cause;
    return ended;
  }
}
