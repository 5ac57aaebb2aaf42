package io.jgloo.ps.server;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.membership.Outcome;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.transport.JGlooException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * The replicas of an application at one server: that of its own keys, which the server of the next
 * rank keeps, and the one that it keeps of the keys of the server before.
 *
 * <p>A server that replaces another one gets the values of its keys from the next server, and gives
 * up what the two have not in common: pushes that were not acknowledged. Then it gets a new replica
 * of the keys of the server before, which forwards all pushes after those.
 *
 * <p><i>Threads</i>: any; the lock of the server guards it. <i>Owns</i>: the replica here.
 */
public final class Replication<A> implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Replication.class.getName());

  /** How long to wait for a server. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long values may take. */
  private static final long TRANSFER_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Members members;
  private final int app;
  private final ValueType<A> type;
  private final Object lock;
  private final IntFunction<KeyRange<A>> ranges;
  private final Forwarder forwarder;
  private final Replica<A> replica;

  /** Servers that asked for the values before there were any. */
  private final List<IncomingRequest> early = new ArrayList<>();

  private KeyRange<A> own;
  private long state;
  private boolean isFilling;
  private boolean isClosed;

  /**
   * @param lock of the server
   * @param ranges makes the keys of the server of a rank, without values
   */
  public Replication(
      Members members, int app, ValueType<A> type, Object lock, IntFunction<KeyRange<A>> ranges) {
    this.members = members;
    this.app = app;
    this.type = type;
    this.lock = lock;
    this.ranges = ranges;
    forwarder = new Forwarder(members, app, lock);
    replica = new Replica<>(type);
  }

  /** Sends the pushes of this server. */
  public Forwarder forwarder() {
    return forwarder;
  }

  /** Whether the next server has a replica, and this one has that of the server before. */
  public boolean isComplete() {
    synchronized (lock) {
      return forwarder.isOn() && replica.isReady();
    }
  }

  // The start.

  /** Gets the values of this server from the next one; null if that has none. */
  public Source restore(KeyRange<A> values) {
    values.requireStores();
    return members.isReplacement() ? fetch(neighbour(1), KvProtocol.OF_SENDER, values) : null;
  }

  /**
   * Begins, under the lock.
   *
   * @param source what {@link #restore} returned
   */
  public void begin(KeyRange<A> values, long itsState, Source source) {
    own = values;
    state = itsState;
    AgentId next = members.agent(neighbour(1));
    boolean hasAll = source == null ? !members.isReplacement() : source.server.equals(next);
    if (hasAll && next != null) {
      forwarder.begin(next);
    }
    if (members.isReplacement()) {
      fill();
    } else {
      replica.begin(ranges.apply(neighbour(-1).rank()), KvProtocol.ORIGINAL);
    }
    early.forEach(request -> give(request, KvProtocol.OF_RECEIVER));
    early.clear();
  }

  /** The server whose rank is greater by a number, in a circle. */
  private NodeId neighbour(int distance) {
    return NodeId.server(
        Math.floorMod(members.id().rank() + distance, members.topology().servers()));
  }

  /** Where values came from, and of which state they are. */
  public record Source(AgentId server, long state) {}

  /** Gets all values from another server; null if that has none or is not there. */
  private Source fetch(NodeId from, int whose, KeyRange<A> into) {
    boolean unused = members.awaitUp(from, PATIENCE);
    AgentId server = members.agent(from);
    if (server == null) {
      return null;
    }
    Outcome outcome = new Outcome();
    long deadline = members.now() + TRANSFER_NANOS;
    ByteBuffer question = KvProtocol.allocate(8).putInt(app).putInt(whose);
    if (whose == KvProtocol.OF_RECEIVER) {
      synchronized (lock) {
        replica.follow(server);
      }
    }
    PendingCall call =
        members
            .messenger()
            .request(
                server,
                KvProtocol.STATE_SERVICE,
                KvProtocol.message(question, List.of()),
                Priority.NORMAL,
                deadline,
                outcome);
    while (!members.await(outcome::isDone, deadline)) {
      call.cancel();
    }
    if (outcome.failure() != null) {
      Level level = isClosed() ? Level.DEBUG : Level.WARNING;
      LOG.log(level, "application " + app + " gets no values from " + from, outcome.failure());
      return null;
    }
    try (Message reply = outcome.reply();
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(BlockStream.of(reply.blocks()), 1 << 16))) {
      if (outcome.status() != KvProtocol.OK) {
        return null;
      }
      StateWriter.read(in, "the reply of " + from, type, into.applied(), into::load);
      return new Source(server, KvProtocol.buffer(reply).getLong());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return isClosed;
    }
  }

  /** Gets a replica of the keys of the server before, in a thread of its own. */
  private void fill() {
    synchronized (lock) {
      if (isFilling || replica.isReady() || isClosed) {
        return;
      }
      isFilling = true;
    }
    Thread thread =
        new Thread(this::fillNow, "jgloo-ps-replica-" + members.id().rank() + "-" + app);
    thread.setDaemon(true);
    thread.start();
  }

  private void fillNow() {
    KeyRange<A> values = ranges.apply(neighbour(-1).rank());
    Source source = null;
    try {
      source = fetch(neighbour(-1), KvProtocol.OF_RECEIVER, values);
    } catch (JGlooException e) { // this node is closed
      LOG.log(Level.DEBUG, "application " + app + " has no replica", e);
    } finally {
      if (!begin(values, source)) {
        values.close();
      }
    }
  }

  private boolean begin(KeyRange<A> values, Source source) {
    synchronized (lock) {
      isFilling = false;
      boolean isUsed = source != null && replica.follows(source.server) && !isClosed;
      if (isUsed) {
        replica.begin(values, source.state);
      } else if (!replica.isReady()) {
        KeyRange<A> unused = replica.drop(); // it had none
      }
      return isUsed;
    }
  }

  /** A push of the server before was forwarded. */
  public void replicate(IncomingRequest request) {
    synchronized (lock) {
      if (isClosed) {
        request.refuse("application " + app + " is closed");
        request.message().close();
      } else {
        replica.received(request);
      }
    }
  }

  /** Another server asks for all values of its own keys, or of those of this server. */
  public void give(IncomingRequest request, int whose) {
    synchronized (lock) {
      boolean isOwn = whose == KvProtocol.OF_RECEIVER;
      NodeId sender = members.topology().node(request.from().rank());
      if (isClosed || !sender.equals(neighbour(isOwn ? 1 : -1))) {
        request.refuse("application " + app + " has no replica for " + sender);
      } else if (isOwn && state == 0) {
        early.add(request);
      } else if (request.begin()) {
        if (isOwn) {
          forwarder.begin(request.from());
          write(own, state, request);
        } else if (replica.isReady()) {
          replica.follow(request.from());
          write(replica.range(), replica.state(), request);
        } else {
          request.reply(KvProtocol.ERROR, KvProtocol.message(KvProtocol.allocate(0), List.of()));
          fill();
        }
      }
    }
  }

  private void write(KeyRange<A> values, long itsState, IncomingRequest request) {
    BlockStream blocks = new BlockStream();
    try {
      StateWriter writer = new StateWriter(new BufferedOutputStream(blocks, 1 << 16), type);
      values.save(writer);
      CompletableFuture<Void> unused =
          writer
              .written()
              .whenComplete(
                  (done, failure) -> {
                    if (failure == null) {
                      writer.finish();
                      ByteBuffer head = KvProtocol.allocate(8).putLong(itsState);
                      request.reply(KvProtocol.OK, KvProtocol.message(head, blocks.take()));
                    } else {
                      blocks.close();
                      request.reply(
                          KvProtocol.ERROR, KvProtocol.message(KvProtocol.allocate(0), List.of()));
                    }
                  });
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  /** The server before goes on without its replica here. */
  public void drop(AgentId from) {
    synchronized (lock) {
      KeyRange<A> values = replica.follows(from) ? replica.drop() : null;
      if (values != null) { // its threads may take a while to end
        Thread thread = new Thread(values::close, "jgloo-ps-replica-end");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  /** A node is lost; under the lock. */
  public void lost(AgentId peer) {
    forwarder.lost(peer);
    replica.lost(peer);
  }

  @Override
  public void close() {
    KeyRange<A> values;
    synchronized (lock) {
      isClosed = true;
      values = replica.drop();
    }
    if (values != null) {
      values.close();
    }
  }
}
