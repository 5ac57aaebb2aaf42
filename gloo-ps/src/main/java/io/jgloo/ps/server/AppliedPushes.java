package io.jgloo.ps.server;

import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.RequestMeta.Change;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.Part;
import io.jgloo.rpc.agent.AgentId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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

  private record Pending(KvProtocol.Origin origin, Change change, KvPairs<?> pairs) {}

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
      Pending pending = new Pending(origin, meta.change(), pairs);
      push = new Push(client, pending, origin.identity(), first, last);
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

  /** The changes that are not answered, each as a server forwards it to a replica. */
  synchronized List<byte[]> pending() {
    return clients.values().stream()
        .flatMap(of -> of.values().stream())
        .flatMap(List::stream)
        .filter(push -> !push.isApplied())
        .map(AppliedPushes::bytes)
        .toList();
  }

  private static byte[] bytes(Push push) {
    KvPairs<?> pairs = push.pending.pairs;
    int size = pairs.size();
    int[] lens = new int[size];
    Arrays.setAll(lens, pairs::length);
    int count = pairs.valueCount();
    KvProtocol.Head head =
        new KvProtocol.Head(
            KeyRange.flags(push.pending.change) | KvProtocol.LENS,
            push.pending.origin,
            new KvProtocol.Order(1, 1, 0, 0, 0),
            new KvProtocol.Content(pairs.type().code(), 0, 0, size, count, 0),
            KvProtocol.ORIGINAL);
    ByteBuffer out = KvProtocol.allocate(KvProtocol.WORKER_BYTES + KvProtocol.REQUEST_BYTES);
    out.putInt(push.client.rank).putLong(push.client.incarnation);
    head.write(out);
    long bytes = (long) count * pairs.type().bytes();
    return KvProtocol.joined(
            out,
            Part.copyOf(size == 0 ? 0 : pairs.keyAddress(), 8L * size),
            KvProtocol.lens(lens, 0, size),
            Part.copyOf(count == 0 ? 0 : pairs.valueAddress(0), bytes))
        .array();
  }

  /** Reads what {@link #save} has written. */
  static List<Push> load(DataInput in) throws IOException {
    List<Push> loaded = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      Client client = new Client(in.readInt(), in.readLong(), in.readInt());
      loaded.add(new Push(client, null, in.readLong(), in.readLong(), in.readLong()));
    }
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
