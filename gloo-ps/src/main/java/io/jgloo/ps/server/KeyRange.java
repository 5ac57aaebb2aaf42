package io.jgloo.ps.server;

import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.RequestMeta.Change;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;

/**
 * The keys of one server with their values, in shards, and the pushes that they have applied: what
 * a server serves, or a replica of it.
 *
 * <p><i>Threads</i>: under the lock of its server, but for {@link #close}. <i>Owns</i>: its shards.
 */
public final class KeyRange<A> implements AutoCloseable {

  /** Makes the reply to a request. */
  @FunctionalInterface
  public interface Responses {
    /**
     * @param parts that it waits for
     */
    Response of(int parts);
  }

  private final Members members;
  private final int app;
  private final int owner;
  private final ValueType<A> type;
  private final Slicer slicer;
  private final List<Shard<A>> shards;
  private final long[] firstKeys;

  /**
   * @param owner rank of the server whose keys these are
   * @param hasThreads whether each shard has a thread
   * @param firstKeys the first key of each shard
   * @param lock of the server
   */
  public KeyRange(
      Members members,
      int app,
      int owner,
      ValueType<A> type,
      Slicer slicer,
      boolean hasThreads,
      long[] firstKeys,
      IntFunction<RequestHandle<A>> handles,
      Object lock) {
    this.members = members;
    this.app = app;
    this.owner = owner;
    this.type = type;
    this.slicer = slicer;
    List<Shard<A>> made = new ArrayList<>();
    for (int i = 0; i < firstKeys.length; i++) {
      String name = "jgloo-ps-" + owner + "-" + app + "-" + i;
      String title = "application " + app + ", shard " + i;
      made.add(new Shard<>(title, handles.apply(i), hasThreads ? name : null, lock));
    }
    shards = List.copyOf(made);
    this.firstKeys = firstKeys;
  }

  /** A worker is lost and repeats nothing. */
  public void lost(AgentId worker) {
    shards.forEach(shard -> shard.applied().lost(worker));
  }

  /**
   * @throws IllegalStateException if a handle has no store
   */
  public void requireStores() {
    for (Shard<A> shard : shards) {
      if (!(shard.handle() instanceof StatefulHandle<A>)) {
        throw new IllegalStateException("the handle of application " + app + " has no store");
      }
    }
  }

  // The state.

  private StateReader.Header header() {
    requireStores();
    StatefulHandle<A> handle = (StatefulHandle<A>) shards.get(0).handle();
    return new StateReader.Header(
        members.run(),
        app,
        owner,
        members.topology().servers(),
        name(slicer),
        handle.kind(),
        type.code(),
        handle.vectors(),
        handle.tailBytes(),
        shards.size());
  }

  private static String name(Slicer slicer) {
    Class<?> type = slicer.getClass();
    boolean isNamed = !slicer.toString().startsWith(type.getName() + "@");
    return isNamed ? slicer.toString() : type.isHidden() ? "lambda" : type.getName();
  }

  /** Begins to read all values, as they are between two requests. */
  public StateReader read() {
    return new StateReader(header(), shards);
  }

  /** Whether a snapshot with this header is that of these keys. */
  public boolean isOf(StateReader.Header snapshot) {
    StateReader.Header own = header();
    return snapshot.servers() == own.servers() && snapshot.slicer().equals(own.slicer());
  }

  /**
   * Adds what a {@link StateReader} has read.
   *
   * @param isWanted which keys; null for all
   * @throws IOException if it cannot be read, or is of another application, type or handle
   */
  public void load(DataInputStream in, String name, LongPredicate isWanted) throws IOException {
    StateReader.Header header = StateReader.Header.read(in, name);
    StateReader.Header own = header();
    require(name, "application", header.app(), own.app());
    require(name, "type of values", header.type(), own.type());
    require(name, "handle", header.handle(), own.handle());
    boolean isOfThisRun = header.run().equals(own.run()) && isWanted == null;
    List<Pending> pending = new ArrayList<>();
    boolean isSameShape = header.shards() == own.shards();
    for (int kind = in.readByte(); kind != StateReader.END; kind = in.readByte()) {
      if (kind == StateReader.KEY) {
        long key = in.readLong();
        byte[] value = in.readNBytes(in.readInt());
        if (isWanted == null || isWanted.test(key)) {
          Memory.copy(value, 0, address(key, value.length), value.length);
        }
        continue;
      }
      int number = in.readInt();
      Shard<A> shard = shards.get(Math.min(number, shards.size() - 1));
      switch (kind) {
        case StateReader.STATE -> {
          byte[] state = in.readNBytes(in.readInt());
          if (isOfThisRun && isSameShape) {
            ((StatefulHandle<A>) shard.handle())
                .loadState(new DataInputStream(new ByteArrayInputStream(state)));
          }
        }
        case StateReader.APPLIED -> {
          AppliedPushes applied = isOfThisRun ? shard.applied() : new AppliedPushes();
          List<AppliedPushes.Push> pushes = applied.load(in);
          if (isOfThisRun && !isSameShape) { // its keys may be in any shard
            shards.stream().filter(s -> s != shard).forEach(s -> s.applied().add(pushes));
          }
        }
        case StateReader.PENDING -> pending.add(readPending(in));
        default -> throw new IOException(name + " has a record of unknown kind " + kind);
      }
    }
    for (Pending each : pending) { // when all values are there
      execute(each, isOfThisRun);
    }
  }

  private static void require(String name, String what, Object there, Object here)
      throws IOException {
    if (!there.equals(here)) {
      throw new IOException(
          name + " does not fit: its " + what + " is " + there + ", that of the server " + here);
    }
  }

  private long address(long key, int bytes) {
    int shard = firstKeys.length - 1;
    while (shard > 0 && Long.compareUnsigned(key, firstKeys[shard]) < 0) {
      shard--;
    }
    return ((StatefulHandle<A>) shards.get(shard).handle()).store().findOrAdd(key, bytes);
  }

  /** A push that was not answered. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pending(
      AgentId worker,
      KvProtocol.Origin origin,
      int flags,
      long[] keys,
      int[] offsets,
      byte[] values) {}

  private Pending readPending(DataInputStream in) throws IOException {
    int unused = in.readInt(); // its length
    AgentId worker = new AgentId(in.readInt(), in.readLong());
    int customer = in.readInt();
    long identity = in.readLong();
    long timestamp = in.readLong();
    long round = in.readLong();
    int command = in.readInt();
    KvProtocol.Origin origin =
        new KvProtocol.Origin(app, customer, command, timestamp, identity, 0, round);
    int flags = in.readShort();
    long[] keys = new long[in.readInt()];
    int[] offsets = new int[keys.length + 1];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = in.readLong();
      offsets[i + 1] = offsets[i] + in.readInt();
    }
    byte[] values = in.readNBytes(offsets[keys.length] * type.bytes());
    return new Pending(worker, origin, flags, keys, offsets, values);
  }

  /** Executes a push again; nobody gets its answer, unless the push is repeated. */
  private void execute(Pending push, boolean isOfThisRun) {
    if (!isOfThisRun) {
      return;
    }
    int size = push.keys.length;
    Block block = Block.allocate(8L * size + push.values.length);
    Memory.copy(push.keys, 0, block.address(), size);
    long values = block.address() + 8L * size;
    Memory.copy(push.values, 0, values, push.values.length);
    KvProtocol.Head head =
        new KvProtocol.Head(
            push.flags,
            push.origin,
            new KvProtocol.Order(1, 1, 0, 0, 0),
            new KvProtocol.Content(type.code(), 0, 0, size, push.offsets[size], 0),
            KvProtocol.ORIGINAL);
    Response unused =
        execute(
            push.worker,
            head,
            new KvPairs<>(type, block.address(), values, push.offsets, 0, 0, size),
            0,
            parts ->
                new Response((status, reply) -> reply.close(), block::close, head, type, 0, parts));
  }

  // Requests.

  /**
   * Executes a request.
   *
   * @param more parts that its reply waits for besides those of the shards
   */
  public Response execute(
      AgentId from, KvProtocol.Head head, KvPairs<A> pairs, int more, Responses responses) {
    boolean isTick = head.has(KvProtocol.TICK);
    int[] cuts = cuts(pairs, isTick);
    int parts = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      parts += cuts[shard + 1] > cuts[shard] || isTick ? 1 : 0;
    }
    Response response = responses.of(Math.max(1, parts) + more);
    if (parts == 0) {
      response.end(0, null, null);
      return response;
    }
    RequestMeta meta =
        new RequestMeta(
            members.topology().node(from.rank()),
            head.origin().customer(),
            head.origin().command(),
            change(head),
            head.has(KvProtocol.PULL),
            head.origin().timestamp(),
            head.origin().round(),
            KvProtocol.STREAM_PRIORITIES.get(head.order().stream()));
    Shard.Vote vote = meta.hasValues() && parts > 1 ? new Shard.Vote(parts) : null;
    int part = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      if (cuts[shard + 1] > cuts[shard] || isTick) {
        KvPairs<A> its = pairs.range(cuts[shard], cuts[shard + 1]);
        ShardResponder<A> responder = new ShardResponder<>(response, part++, pairs.type());
        shards.get(shard).execute(from, head.origin(), meta, its, responder, vote);
      }
    }
    return response;
  }

  private static Change change(KvProtocol.Head head) {
    Change change = Change.NONE;
    for (Change each : Change.values()) { // those with more flags come later
      change = head.has(KvProtocol.PUSH | KvProtocol.TICK) && isOf(head, each) ? each : change;
    }
    return change;
  }

  private static boolean isOf(KvProtocol.Head head, Change change) {
    return (head.flags() & flags(change)) == flags(change);
  }

  /** The flags of a change. */
  static int flags(Change change) {
    return switch (change) {
      case NONE -> 0;
      case PUSH -> KvProtocol.PUSH;
      case SET -> KvProtocol.PUSH | KvProtocol.SET;
      case REMOVE -> KvProtocol.PUSH | KvProtocol.REMOVE;
      case TICK -> KvProtocol.TICK;
      case LEAVE -> KvProtocol.TICK | KvProtocol.LEAVE;
      case EVICT -> KvProtocol.TICK | KvProtocol.EVICT;
    };
  }

  /** Where the keys of each shard begin. */
  private int[] cuts(KvPairs<A> pairs, boolean isTick) {
    int[] cuts = new int[shards.size() + 1];
    cuts[shards.size()] = isTick ? 0 : pairs.size();
    for (int shard = 1; shard < shards.size() && !isTick; shard++) {
      cuts[shard] = Math.max(cuts[shard - 1], pairs.lowerBound(firstKeys[shard]));
    }
    return cuts;
  }

  @Override
  public void close() {
    shards.forEach(Shard::close);
  }
}
