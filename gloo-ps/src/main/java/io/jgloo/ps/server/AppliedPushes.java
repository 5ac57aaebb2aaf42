package io.jgloo.ps.server;

import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.memory.Memory;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The pushes and ticks that a shard has applied or has begun, so that a repeated one is not applied
 * again: it joins one that is not answered yet.
 *
 * <p>A change is identified by the incarnation of its worker, customer, identity and keys. A worker
 * says in each request below which identity it repeats none; those are forgotten. Incarnations are
 * counted from one in each run of a system, so what is saved counts in the run that made it only.
 *
 * <p><i>Threads</i>: any.
 */
public final class AppliedPushes {

  private record Client(int rank, long incarnation, int customer) {}

  private record Pending(RequestMeta meta, KvPairs<?> pairs) {}

  /** The change of a range of keys; both keys are 0 for a tick. */
  static final class Push {
    private final Client client;
    private final long identity;
    private final long first;
    private final long last;
    private final List<Consumer<String>> joined = new ArrayList<>(0);

    /** What is pushed, until it is applied; else null. */
    private Pending pending;

    private Push(Client client, Pending pending, long identity, long first, long last) {
      this.client = client;
      this.pending = pending;
      this.identity = identity;
      this.first = first;
      this.last = last;
    }

    private boolean isApplied() {
      return pending == null;
    }

    private boolean has(long key) {
      return Long.compareUnsigned(first, key) <= 0 && Long.compareUnsigned(key, last) <= 0;
    }
  }

  private final Map<Client, TreeMap<Long, List<Push>>> clients = new HashMap<>();

  /**
   * Begins a change.
   *
   * @param joined gets why the same change failed, or null, if it was begun before and has not
   *     ended
   * @param begun gets the change, which is to be ended, if it is new
   * @return false if it was applied before
   */
  boolean begin(
      AgentId worker,
      KvProtocol.Origin origin,
      RequestMeta meta,
      KvPairs<?> pairs,
      Consumer<String> joined,
      Consumer<Push> begun) {
    Push push;
    synchronized (this) {
      Client client = new Client(worker.rank(), worker.incarnation(), origin.customer());
      TreeMap<Long, List<Push>> of = clients.computeIfAbsent(client, key -> new TreeMap<>());
      while (!of.isEmpty() && of.firstKey() < origin.floor()) {
        of.pollFirstEntry();
      }
      long first = pairs.size() == 0 ? 0 : pairs.key(0);
      long last = pairs.size() == 0 ? 0 : pairs.key(pairs.size() - 1);
      List<Push> known = of.computeIfAbsent(origin.identity(), key -> new ArrayList<>(1));
      for (Push each : known) {
        if (each.first == first && each.last == last) {
          return !each.isApplied() && each.joined.add(joined);
        }
      }
      if (isCovered(known, pairs)) { // by parts that were cut otherwise, before a restart
        return false;
      }
      push = new Push(client, new Pending(meta, pairs), origin.identity(), first, last);
      known.add(push);
    }
    begun.accept(push);
    return true;
  }

  private static boolean isCovered(List<Push> known, KvPairs<?> pairs) {
    for (int i = 0; i < pairs.size(); i++) {
      long key = pairs.key(i);
      if (known.stream().noneMatch(each -> each.isApplied() && each.has(key))) {
        return false;
      }
    }
    return pairs.size() > 0;
  }

  /**
   * Ends a change: one that failed can be made again.
   *
   * @param error why it failed; null if it was applied
   */
  void end(Push push, String error) {
    List<Consumer<String>> joined;
    synchronized (this) {
      push.pending = null; // its memory is given back next
      TreeMap<Long, List<Push>> of = clients.get(push.client);
      List<Push> known = of == null ? null : of.get(push.identity);
      if (error != null && known != null) {
        known.remove(push);
      }
      joined = List.copyOf(push.joined);
    }
    joined.forEach(each -> each.accept(error));
  }

  /** A worker is lost and repeats nothing. */
  synchronized void lost(AgentId worker) {
    clients.keySet().removeIf(client -> client.incarnation == worker.incarnation());
  }

  /** Writes what was applied. */
  synchronized void save(DataOutput out) throws IOException {
    List<Push> applied = new ArrayList<>();
    for (TreeMap<Long, List<Push>> of : clients.values()) {
      of.values().forEach(known -> known.stream().filter(Push::isApplied).forEach(applied::add));
    }
    out.writeInt(applied.size());
    for (Push push : applied) {
      out.writeInt(push.client.rank);
      out.writeLong(push.client.incarnation);
      out.writeInt(push.client.customer);
      out.writeLong(push.identity);
      out.writeLong(push.first);
      out.writeLong(push.last);
    }
  }

  /**
   * Writes the changes that are not answered, each as u8 PENDING, i32 shard, i32 length, i32 rank,
   * i64 incarnation, i32 customer, i64 identity, i64 timestamp, i64 round, i32 command, u16 flags,
   * i32 keys, each key with its i32 length, and the values.
   */
  synchronized void savePending(DataOutput out, int shard) throws IOException {
    for (TreeMap<Long, List<Push>> of : clients.values()) {
      for (List<Push> known : of.values()) {
        for (Push push : known) {
          if (!push.isApplied()) {
            out.writeByte(StateReader.PENDING);
            out.writeInt(shard);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            savePending(new DataOutputStream(bytes), push);
            out.writeInt(bytes.size());
            out.write(bytes.toByteArray());
          }
        }
      }
    }
  }

  private static void savePending(DataOutput out, Push push) throws IOException {
    RequestMeta meta = push.pending.meta;
    KvPairs<?> pairs = push.pending.pairs;
    out.writeInt(push.client.rank);
    out.writeLong(push.client.incarnation);
    out.writeInt(push.client.customer);
    out.writeLong(push.identity);
    out.writeLong(meta.timestamp());
    out.writeLong(meta.round());
    out.writeInt(meta.command());
    out.writeShort(KeyRange.flags(meta.change()));
    out.writeInt(pairs.size());
    for (int i = 0; i < pairs.size(); i++) {
      out.writeLong(pairs.key(i));
      out.writeInt(pairs.length(i));
    }
    byte[] values = new byte[pairs.valueCount() * pairs.type().bytes()];
    if (values.length > 0) {
      Memory.copy(pairs.valueAddress(0), values, 0, values.length);
    }
    out.write(values);
  }

  /** Adds what {@link #save} has written, and returns it. */
  List<Push> load(DataInput in) throws IOException {
    List<Push> loaded = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      Client client = new Client(in.readInt(), in.readLong(), in.readInt());
      loaded.add(new Push(client, null, in.readLong(), in.readLong(), in.readLong()));
    }
    add(loaded);
    return loaded;
  }

  /** Adds pushes that were applied. */
  synchronized void add(List<Push> applied) {
    for (Push push : applied) {
      clients
          .computeIfAbsent(push.client, key -> new TreeMap<>())
          .computeIfAbsent(push.identity, key -> new ArrayList<>(1))
          .add(push);
    }
  }
}
