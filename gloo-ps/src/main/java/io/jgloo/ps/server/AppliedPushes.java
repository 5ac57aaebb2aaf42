package io.jgloo.ps.server;

import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which pushes a server has applied, so that a repeated one is not applied again.
 *
 * <p>A push is identified by the incarnation of its worker, customer, timestamp and first key. A
 * worker says in each request below which timestamp it repeats none; those are forgotten.
 * Incarnations are counted from one in each run of a system, so pushes of a snapshot count in the
 * run that made it only.
 *
 * <p><i>Threads</i>: one at a time.
 */
public final class AppliedPushes {

  private record Client(int rank, long incarnation, int customer) {}

  private final Map<Client, TreeMap<Integer, Set<Long>>> clients = new HashMap<>();
  private String run = "";

  /** Says which run of the system this is; before anything is added, saved or loaded. */
  public void begin(String run) {
    this.run = run;
  }

  /** Adds a push; false if it was applied before. */
  public boolean add(AgentId worker, KvProtocol.Head head, long firstKey) {
    TreeMap<Integer, Set<Long>> applied =
        clients.computeIfAbsent(client(worker, head.customer()), key -> new TreeMap<>());
    while (!applied.isEmpty() && applied.firstKey() < head.floor()) {
      applied.pollFirstEntry();
    }
    return applied.computeIfAbsent(head.identity(), key -> new HashSet<>(2)).add(firstKey);
  }

  /** Forgets a push, which has failed. */
  void remove(AgentId worker, KvProtocol.Head head, long firstKey) {
    TreeMap<Integer, Set<Long>> applied = clients.get(client(worker, head.customer()));
    Set<Long> keys = applied == null ? null : applied.get(head.identity());
    if (keys != null) {
      keys.remove(firstKey);
    }
  }

  /** A worker is lost and repeats nothing. */
  public void lost(AgentId worker) {
    clients.keySet().removeIf(client -> client.incarnation == worker.incarnation());
  }

  private static Client client(AgentId worker, int customer) {
    return new Client(worker.rank(), worker.incarnation(), customer);
  }

  public void save(DataOutput out) throws IOException {
    int count = 0;
    for (TreeMap<Integer, Set<Long>> applied : clients.values()) {
      for (Set<Long> keys : applied.values()) {
        count += keys.size();
      }
    }
    out.writeUTF(run);
    out.writeInt(count);
    for (Map.Entry<Client, TreeMap<Integer, Set<Long>>> client : clients.entrySet()) {
      for (Map.Entry<Integer, Set<Long>> push : client.getValue().entrySet()) {
        for (long key : push.getValue()) {
          out.writeInt(client.getKey().rank);
          out.writeLong(client.getKey().incarnation);
          out.writeInt(client.getKey().customer);
          out.writeInt(push.getKey());
          out.writeLong(key);
        }
      }
    }
  }

  /** Adds what was saved in this run; what another run has saved is read and left out. */
  public void load(DataInput in) throws IOException {
    boolean isOfThisRun = in.readUTF().equals(run);
    for (int left = in.readInt(); left > 0; left--) {
      Client client = new Client(in.readInt(), in.readLong(), in.readInt());
      int timestamp = in.readInt();
      long firstKey = in.readLong();
      if (isOfThisRun) {
        clients
            .computeIfAbsent(client, key -> new TreeMap<>())
            .computeIfAbsent(timestamp, key -> new HashSet<>(2))
            .add(firstKey);
      }
    }
  }
}
