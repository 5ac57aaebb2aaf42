package io.jgloo.ps.server;

import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The keys of one server with their values, in shards, and the pushes that they have applied: what
 * a server serves, or a replica of it.
 *
 * <p><i>Threads</i>: under the lock of its server, but for {@link #close}. <i>Owns</i>: its shards.
 */
public final class KeyRange<A> implements AutoCloseable {

  /** Makes the reply to a request. */
  public interface Responses {
    /**
     * @param parts that it waits for
     * @param failed runs before an error is sent
     */
    Response of(int parts, Runnable failed);
  }

  private final Members members;
  private final int app;
  private final AppliedPushes applied = new AppliedPushes();
  private final List<Shard<A>> shards;
  private final long[] firstKeys;
  private final Object lock;

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
      boolean hasThreads,
      long[] firstKeys,
      IntFunction<RequestHandle<A>> handles,
      Object lock) {
    this.members = members;
    this.app = app;
    this.lock = lock;
    List<Shard<A>> made = new ArrayList<>();
    for (int i = 0; i < firstKeys.length; i++) {
      String name = "jgloo-ps-" + owner + "-" + app + "-" + i;
      made.add(new Shard<>(handles.apply(i), hasThreads ? name : null));
    }
    shards = List.copyOf(made);
    this.firstKeys = firstKeys;
    applied.begin(members.run());
  }

  public AppliedPushes applied() {
    return applied;
  }

  /** Sets the values of a key. */
  public void load(long key, byte[] value) {
    int shard = firstKeys.length - 1;
    while (shard > 0 && Long.compareUnsigned(key, firstKeys[shard]) < 0) {
      shard--;
    }
    if (!(shards.get(shard).handle() instanceof StatefulHandle<A> handle)) {
      throw noStore();
    }
    Memory.copy(value, 0, handle.store().findOrAdd(key, value.length), value.length);
  }

  /**
   * @throws IllegalStateException if a handle has no store
   */
  public void requireStores() {
    for (Shard<A> shard : shards) {
      if (!(shard.handle() instanceof StatefulHandle<A>)) {
        throw noStore();
      }
    }
  }

  private IllegalStateException noStore() {
    return new IllegalStateException("the handle of application " + app + " has no store");
  }

  /** Writes all values, as they are between two requests. */
  public void save(StateWriter writer) throws IOException {
    writer.add(applied);
    shards.forEach(writer::add);
  }

  /**
   * Executes a request.
   *
   * @param more parts that its reply waits for besides those of the shards
   */
  public Response execute(
      AgentId from, KvProtocol.Head head, KvPairs<A> pairs, int more, Responses responses) {
    boolean isPush = head.has(KvProtocol.PUSH);
    boolean isTick = head.has(KvProtocol.TICK);
    long first = pairs.size() == 0 ? 0 : pairs.key(0);
    boolean isRepeated = isPush && !applied.add(from, head, first);
    int[] cuts = cuts(pairs, isTick);
    int parts = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      parts += cuts[shard + 1] > cuts[shard] || isTick ? 1 : 0;
    }
    Response response =
        responses.of(
            Math.max(1, parts) + more,
            isPush && !isRepeated ? () -> forget(from, head, first) : () -> {});
    if (parts == 0) {
      response.end(0, null, null);
      return response;
    }
    RequestMeta meta =
        new RequestMeta(
            members.topology().node(from.rank()),
            head.customer(),
            head.command(),
            isPush,
            head.has(KvProtocol.PULL),
            isTick,
            head.timestamp(),
            KvProtocol.STREAM_PRIORITIES.get(head.stream()));
    int part = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      if (cuts[shard + 1] > cuts[shard] || isTick) {
        KvPairs<A> its = pairs.range(cuts[shard], cuts[shard + 1]);
        ShardResponder<A> responder = new ShardResponder<>(response, part++, pairs.type());
        shards.get(shard).execute(meta, its, responder, isRepeated);
      }
    }
    return response;
  }

  /** Where the keys of each shard begin; all shards get a tick. */
  private int[] cuts(KvPairs<A> pairs, boolean isTick) {
    int[] cuts = new int[shards.size() + 1];
    cuts[shards.size()] = isTick ? 0 : pairs.size();
    for (int shard = 1; shard < shards.size() && !isTick; shard++) {
      cuts[shard] = Math.max(cuts[shard - 1], pairs.lowerBound(firstKeys[shard]));
    }
    return cuts;
  }

  private void forget(AgentId worker, KvProtocol.Head head, long firstKey) {
    synchronized (lock) {
      applied.remove(worker, head, firstKey);
    }
  }

  @Override
  public void close() {
    shards.forEach(Shard::close);
  }
}
