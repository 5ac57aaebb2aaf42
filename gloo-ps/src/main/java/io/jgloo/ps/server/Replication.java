package io.jgloo.ps.server;

import io.jgloo.ps.membership.Members;
import io.jgloo.ps.membership.Outcome;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.memory.Memory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * The replicas of an application at one server: those of its own keys, which the servers of the
 * next ranks keep, and those that it keeps of the keys of the servers before.
 *
 * <p>A server that replaces another one gets the values of its keys from the first of the next
 * servers that has them. The others give up their replicas, which may lack pushes or have more, and
 * get new ones from it. Values travel in chunks, which the server that needs them asks for.
 *
 * <p><i>Threads</i>: any; the lock of the server guards it. <i>Owns</i>: the replicas here.
 */
public final class Replication<A> implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Replication.class.getName());

  /** How long to wait for a server. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long a chunk of values may take. */
  private static final long CHUNK_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Values that are given to another server. */
  private record Transfer(AgentId to, StateReader reader, long state) {}

  private final Members members;
  private final int app;
  private final Object lock;
  private final IntFunction<KeyRange<A>> ranges;

  /** To the servers of the next ranks. */
  private final List<Forwarder> forwarders = new ArrayList<>();

  /** Of the keys of the servers before. */
  private final List<Replica<A>> kept = new ArrayList<>();

  private final Map<Long, Transfer> transfers = new HashMap<>();
  private long lastTransfer;

  /** Servers that asked for the values before there were any. */
  private final List<IncomingRequest> early = new ArrayList<>();

  private KeyRange<A> own;
  private long state;
  private boolean isClosed;

  /**
   * @param count replicas of each server
   * @param lock of the server
   * @param ranges makes the keys of the server of a rank, without values
   */
  public Replication(
      Members members, int app, int count, Object lock, IntFunction<KeyRange<A>> ranges) {
    this.members = members;
    this.app = app;
    this.lock = lock;
    this.ranges = ranges;
    for (int distance = 1; distance <= count; distance++) {
      forwarders.add(new Forwarder(members, app, lock));
      kept.add(new Replica<>(distance));
    }
  }

  /** Those that send the pushes of this server to a replica. */
  public List<Forwarder> forwarders() {
    return forwarders.stream().filter(Forwarder::isOn).toList();
  }

  /** Whether the next servers have replicas, and this one has those of the servers before. */
  public boolean isComplete() {
    synchronized (lock) {
      return forwarders.stream().allMatch(Forwarder::isOn)
          && kept.stream().allMatch(each -> each.isReady());
    }
  }

  // The start.

  /** Gets the values of this server from one of the next ones; null if none has them. */
  public Source restore(KeyRange<A> values) {
    values.requireStores();
    List<NodeId> next = new ArrayList<>();
    for (int i = 0; i < forwarders.size() && members.isReplacement(); i++) {
      next.add(neighbour(i + 1));
    }
    next.sort(Comparator.comparing(each -> !members.isUp(each))); // others are waited for
    Source source = null;
    for (int i = 0; i < next.size() && source == null; i++) {
      source = fetch(next.get(i), members.id().rank(), values);
    }
    return source;
  }

  /**
   * Begins, under the lock.
   *
   * @param source what {@link #restore} returned
   */
  public void begin(KeyRange<A> values, long state, Source source) {
    own = values;
    this.state = state;
    for (int i = 0; i < forwarders.size(); i++) {
      AgentId next = members.agent(neighbour(i + 1));
      boolean hasAll = source == null ? !members.isReplacement() : source.server.equals(next);
      if (hasAll && next != null) {
        forwarders.get(i).begin(next);
      } else if (source != null && next != null) {
        Forwarder.drop(members, app, next);
      }
    }
    for (Replica<A> each : kept) {
      if (members.isReplacement()) {
        fill(each);
      } else {
        each.begin(ranges.apply(owner(each).rank()), KvProtocol.ORIGINAL);
      }
    }
    early.forEach(request -> give(request, members.id().rank(), 0));
    early.clear();
  }

  /** Other values are those of this server from now on; under the lock. */
  public void restored(KeyRange<A> values) {
    own = values;
    for (int i = 0; i < forwarders.size(); i++) {
      AgentId next = members.agent(neighbour(i + 1));
      if (next != null) {
        forwarders.get(i).lost(next);
        Forwarder.drop(members, app, next);
      }
    }
  }

  /** The server whose rank is greater by a number, in a circle. */
  private NodeId neighbour(int distance) {
    return NodeId.server(
        Math.floorMod(members.id().rank() + distance, members.topology().servers()));
  }

  private NodeId owner(Replica<A> of) {
    return neighbour(-of.distance);
  }

  /** The replica of the keys of a server; null if this is not the place for it. */
  private Replica<A> keptOf(AgentId server) {
    NodeId owner = members.topology().node(server.rank());
    return kept.stream().filter(each -> owner(each).equals(owner)).findFirst().orElse(null);
  }

  /** Where values came from, and of which state they are. */
  public record Source(AgentId server, long state) {}

  /** Chunks of values, which another server gives one after another. */
  private final class Chunks extends InputStream {
    private final AgentId server;
    private final int owner;
    private long transfer;
    private long state;
    private byte[] chunk = {};
    private int at;

    /**
     * @param owner rank of the server whose keys they are of
     */
    Chunks(AgentId server, int owner) {
      this.server = server;
      this.owner = owner;
    }

    /** Gets the next chunk; false if the server has no values. */
    boolean fetch() throws IOException {
      long deadline = members.now() + CHUNK_NANOS;
      ByteBuffer question = KvProtocol.allocate(16).putInt(app).putInt(owner).putLong(transfer);
      Message message = KvProtocol.message(question, List.of());
      Outcome outcome =
          members.request(server, KvProtocol.STATE_SERVICE, message, Priority.NORMAL, deadline);
      members.awaitEnd(outcome::isDone, deadline);
      if (outcome.failure() != null) {
        throw new IOException(outcome.failure());
      }
      try (Message reply = outcome.join().message()) {
        if (outcome.join().status() != KvProtocol.OK || reply.blocks().isEmpty()) {
          return false;
        }
        ByteBuffer in = KvProtocol.buffer(reply);
        state = in.getLong();
        transfer = in.getLong();
        chunk = reply.blocks().get(0).toArray();
        at = 0;
        return true;
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (at == chunk.length && !fetch()) {
        return -1;
      }
      int some = Math.min(length, chunk.length - at);
      System.arraycopy(chunk, at, bytes, offset, some);
      at += some;
      return some;
    }
  }

  /** Gets all values of a server from another one; null if that has none or is not there. */
  private Source fetch(NodeId from, int owner, KeyRange<A> into) {
    boolean unused = members.awaitUp(from, PATIENCE);
    AgentId server = members.agent(from);
    if (server == null) {
      return null;
    }
    if (owner == from.rank()) {
      synchronized (lock) {
        keptOf(server).follow(server);
      }
    }
    try {
      Chunks chunks = new Chunks(server, owner);
      if (!chunks.fetch()) {
        return null;
      }
      DataInputStream in = new DataInputStream(chunks);
      String name = "the reply of " + from;
      into.load(StateReader.Header.read(in, name), in, name, null);
      return new Source(server, chunks.state);
    } catch (IOException e) {
      Level level = isClosed() ? Level.DEBUG : Level.WARNING;
      LOG.log(level, "application " + app + " gets no values from " + from, e);
      return null;
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return isClosed;
    }
  }

  /** Gets a replica of the keys of a server before, in a thread of its own. */
  private void fill(Replica<A> of) {
    synchronized (lock) {
      if (of.isFilling || of.isReady() || isClosed) {
        return;
      }
      of.isFilling = true;
    }
    String name = "jgloo-ps-replica-" + members.id().rank() + "-" + app + "-" + of.distance;
    Members.inThread(name, () -> fillNow(of));
  }

  private void fillNow(Replica<A> of) {
    KeyRange<A> values = ranges.apply(owner(of).rank());
    Source source = null;
    try {
      source = fetch(owner(of), owner(of).rank(), values);
    } catch (JGlooException e) { // this node is closed
      LOG.log(Level.DEBUG, "application " + app + " has no replica", e);
    } finally {
      if (!begin(of, values, source)) {
        values.close();
      }
    }
  }

  private boolean begin(Replica<A> of, KeyRange<A> values, Source source) {
    synchronized (lock) {
      of.isFilling = false;
      boolean isUsed = source != null && of.follows(source.server) && !isClosed;
      if (isUsed) {
        of.begin(values, source.state);
      } else if (!of.isReady()) {
        KeyRange<A> unused = of.drop(); // it had none
      }
      return isUsed;
    }
  }

  /** A push of a server before was forwarded. */
  public void replicate(IncomingRequest request) {
    synchronized (lock) {
      Replica<A> of = isClosed ? null : keptOf(request.from());
      if (of == null) {
        request.refuse("application " + app + " is closed or has no replica of the sender");
        request.message().close();
      } else {
        of.received(request);
      }
    }
  }

  /**
   * Another server asks for values: of this server, or of itself.
   *
   * @param transfer number of the transfer that goes on; 0 for a new one
   */
  public void give(IncomingRequest request, int owner, long transfer) {
    synchronized (lock) {
      boolean isOwn = owner == members.id().rank();
      Replica<A> of = keptOf(request.from());
      NodeId sender = members.topology().node(request.from().rank());
      int distance = 0;
      while (distance < forwarders.size() && !neighbour(distance + 1).equals(sender)) {
        distance++;
      }
      boolean isKnown = isOwn ? distance < forwarders.size() : of != null;
      if (isClosed || !isKnown) {
        request.refuse("application " + app + " has no replica for the sender");
      } else if (isOwn && state == 0) {
        early.add(request);
      } else if (request.begin()) {
        if (transfer > 0) {
          write(transfer, request);
        } else if (isOwn) {
          forwarders.get(distance).begin(request.from());
          write(begin(request.from(), own, state), request);
        } else if (of.isReady()) {
          of.follow(request.from());
          write(begin(request.from(), of.range(), of.state()), request);
        } else {
          request.reply(KvProtocol.ERROR, KvProtocol.EMPTY);
          fill(of);
        }
      }
    }
  }

  private long begin(AgentId to, KeyRange<A> values, long state) {
    lastTransfer++;
    transfers.put(lastTransfer, new Transfer(to, values.read(), state));
    return lastTransfer;
  }

  private void write(long number, IncomingRequest request) {
    Transfer transfer = transfers.get(number);
    CompletableFuture<byte[]> chunk =
        transfer == null
            ? CompletableFuture.failedFuture(new IOException("no transfer " + number))
            : transfer.reader.next();
    CompletableFuture<Void> unused =
        chunk.handle(
            (bytes, failure) -> {
              if (bytes == null || (bytes.length == 1 && bytes[0] == StateReader.END)) {
                end(number);
              }
              if (bytes == null) {
                request.reply(KvProtocol.ERROR, KvProtocol.EMPTY);
                return null;
              }
              Block block = Block.allocate(bytes.length);
              Memory.copy(bytes, 0, block.address(), bytes.length);
              ByteBuffer head = KvProtocol.allocate(16).putLong(transfer.state).putLong(number);
              request.reply(KvProtocol.OK, KvProtocol.message(head, List.of(block)));
              return null;
            });
  }

  private void end(long number) {
    synchronized (lock) {
      Transfer ended = transfers.remove(number);
      if (ended != null) {
        ended.reader.close();
      }
    }
  }

  /** A server before goes on without its replica here, which gets its values anew. */
  public void drop(AgentId from) {
    synchronized (lock) {
      Replica<A> of = keptOf(from);
      if (of == null || isClosed) {
        return;
      }
      KeyRange<A> values = of.drop();
      if (values != null) { // its threads may take a while to end
        Members.inThread("jgloo-ps-replica-end", values::close);
      }
      fill(of);
    }
  }

  /** A node is lost; under the lock. */
  public void lost(AgentId peer) {
    forwarders.forEach(forwarder -> forwarder.lost(peer));
    kept.forEach(each -> each.lost(peer));
    List<Long> ended = new ArrayList<>();
    transfers.forEach(
        (number, transfer) -> {
          if (transfer.to.equals(peer)) {
            ended.add(number);
          }
        });
    ended.forEach(this::end);
  }

  @Override
  public void close() {
    List<KeyRange<A>> values = new ArrayList<>();
    synchronized (lock) {
      isClosed = true;
      List.copyOf(transfers.keySet()).forEach(this::end);
      kept.forEach(each -> values.add(each.drop()));
    }
    for (KeyRange<A> each : values) {
      if (each != null) {
        each.close();
      }
    }
  }
}
