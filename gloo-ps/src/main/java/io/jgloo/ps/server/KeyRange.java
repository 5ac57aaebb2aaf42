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
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
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
   * Adds what follows the header of what a {@link StateReader} has read.
   *
   * @param isWanted which keys; null for all
   * @throws IOException if it cannot be read, or is of another application, type or handle
   */
  public void load(
      StateReader.Header header, DataInputStream in, String name, LongPredicate isWanted)
      throws IOException {
    StateReader.Header own = header();
    require(name, "application", header.app(), own.app());
    require(name, "type of values", header.type(), own.type());
    require(name, "handle", header.handle(), own.handle());
    boolean isOfThisRun = header.run().equals(own.run()) && isWanted == null;
    boolean isSameShape = header.shards() == own.shards();
    List<byte[]> pending = new ArrayList<>();
    StateReader.read(
        in,
        (key, value) -> {
          if (isWanted == null || isWanted.test(key)) {
            Memory.copy(value, 0, address(key, value.length), value.length);
          }
        },
        (kind, number, content) -> {
          if (!isOfThisRun) {
            return;
          }
          DataInputStream bytes = new DataInputStream(new ByteArrayInputStream(content));
          Shard<A> shard = shards.get(Math.min(number, shards.size() - 1));
          if (kind == StateReader.PENDING) {
            pending.add(content);
          } else if (kind == StateReader.APPLIED) {
            List<AppliedPushes.Push> pushes = AppliedPushes.load(bytes);
            List<Shard<A>> its = isSameShape ? List.of(shard) : shards; // keys may be in any
            its.forEach(each -> each.applied().add(pushes));
          } else if (isSameShape) {
            ((StatefulHandle<A>) shard.handle()).loadState(bytes);
          }
        });
    for (byte[] each : pending) { // when all values are there
      Message push = Message.of(each);
      KvProtocol.Head head = KvProtocol.Head.read(KvProtocol.forwarded(push));
      if (head == null) {
        throw new IOException(name + " has a malformed push");
      }
      execute(head, push, KvProtocol.ORIGINAL);
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

  /**
   * Executes a request that was forwarded; nobody gets its reply, unless the request is repeated.
   *
   * @param message the worker and the request of this head; belongs to this from now on
   */
  void execute(KvProtocol.Head head, Message message, long state) {
    ByteBuffer in = KvProtocol.buffer(message);
    AgentId worker = new AgentId(in.getInt(), in.getLong());
    RequestContent content = RequestContent.read(head, KvProtocol.forwarded(message), type, null);
    if (content == null) {
      throw new IllegalStateException("a forwarded push is malformed"); // a mistake of ours
    }
    Runnable release =
        () -> {
          content.close();
          message.close();
        };
    Response response = new Response((status, reply) -> reply.close(), release, head, type, state);
    execute(worker, head, content.pairs(type), 0, response);
  }

  // Requests.

  /**
   * Executes a request.
   *
   * @param more parts that its reply waits for besides those of the shards
   */
  public void execute(
      AgentId from, KvProtocol.Head head, KvPairs<A> pairs, int more, Response response) {
    boolean isTick = head.has(KvProtocol.TICK);
    int[] cuts = cuts(pairs, isTick);
    int parts = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      parts += cuts[shard + 1] > cuts[shard] || isTick ? 1 : 0;
    }
    response.expect(Math.max(1, parts) + more);
    if (parts == 0) {
      response.end(0, null, null);
      return;
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
