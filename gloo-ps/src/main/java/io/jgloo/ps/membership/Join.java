package io.jgloo.ps.membership;

import io.jgloo.ps.node.NodeCountException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.join.RecordSeal;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.transport.JobSecret;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives nodes their ranks by records in a store.
 *
 * <p>A node takes a ticket of its role and leaves a record. The scheduler waits for the declared
 * number of records of each role, orders them and writes the ranks. Keys, after {@code
 * jgloo-ps/GROUP/}: {@code declared}; {@code run}, which no other run of the system has; {@code
 * tickets/ROLE}, a counter; {@code node/ROLE/TICKET}; {@code ranks}; {@code started}.
 *
 * <p>With a job secret all but the counters are sealed ({@link RecordSeal}).
 *
 * <p>Order of the ranks of a role: nodes that ask for a rank have it; the others have the free
 * ranks by host name, process id and ticket.
 */
public final class Join {

  /**
   * The rank of a node; negative for one that takes that of a node which has ended.
   *
   * @param hasStarted whether all nodes were connected once
   */
  public record Place(int rank, boolean hasStarted) {}

  private record Entry(int ticket, int wanted, String host, long pid) {
    static Entry parse(int ticket, String record) {
      String[] words = record.split(" ", -1);
      return new Entry(ticket, Integer.parseInt(words[0]), words[2], Long.parseLong(words[1]));
    }
  }

  /** How long nodes that have a rank may take to use it. */
  private static final Duration LATE = Duration.ofSeconds(10);

  private static final long PAUSE_NANOS = 10_000_000;

  private final Store store;
  private final String prefix;
  private final Topology topology;
  private final long deadline;
  private final RecordSeal seal;

  public Join(
      Store store, String group, Topology topology, Duration timeout, Optional<JobSecret> secret) {
    this.store = store;
    this.topology = topology;
    prefix = "jgloo-ps/" + group + "/";
    seal = RecordSeal.of(secret, "node", group, 0);
    deadline = System.nanoTime() + timeout.toNanos();
  }

  /** What identifies this run of the system: the same at all its nodes, and in no other run. */
  public String run() {
    return first("run", UUID.randomUUID().toString());
  }

  /**
   * Finds the place of this node.
   *
   * @param wanted the rank it asks for, or -1
   * @throws NodeCountException if the declared numbers differ, or nodes do not come in time
   * @throws io.jgloo.transport.AuthenticationException if another node has not the job's secret
   */
  public Place place(Role role, int wanted) {
    awaitNext();
    String first = first("declared", topology.toString());
    if (!first.equals(topology.toString())) {
      throw new NodeCountException(
          "this " + role + " declares " + topology + ", but the first node " + first, null);
    }
    int ticket = (int) store.add(prefix + "tickets/" + role, 1);
    if (ticket > topology.count(role)) {
      await("ranks", "the scheduler has not assigned ranks");
      return new Place(-1, hasStarted());
    }
    String record = wanted + " " + ProcessHandle.current().pid() + " " + host();
    write(key(role, ticket), record);
    if (role == Role.SCHEDULER) {
      write(prefix + "ranks", ranks());
      return new Place(0, false);
    }
    await("ranks", "the scheduler has not assigned ranks");
    for (String line : read(prefix + "ranks").split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(role.name()) && Integer.parseInt(words[1]) == ticket) {
        return new Place(Integer.parseInt(words[2]), false);
      }
    }
    throw new NodeCountException(
        "the scheduler has assigned no rank to " + role + " " + ticket, null);
  }

  /** The system ends with this store: no rank can be taken any more. */
  public void ending() {
    write(prefix + "ending", "1");
  }

  /**
   * Returns at once, unless the system ends; then its store ends soon, which its caller gets to
   * know by the failure of this look, and joins in the next.
   */
  private void awaitNext() {
    while (store.check(List.of(prefix + "ending"))) {
      if (left().isZero()) {
        throw new NodeCountException("the system of this store has ended", null);
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /** All nodes are connected: ranks of nodes that end from now on can be taken. */
  public void started() {
    write(prefix + "started", "1");
  }

  /**
   * Whether the system has started, or does so soon: a node that has ended before does not come.
   */
  private boolean hasStarted() {
    Duration patience = left().dividedBy(4);
    try {
      store.wait(List.of(prefix + "started"), patience.compareTo(LATE) < 0 ? patience : LATE);
      return true;
    } catch (StoreTimeoutException e) {
      return false;
    }
  }

  private void write(String key, String value) {
    store.set(key, seal.seal(key, bytes(value)));
  }

  private String read(String key) {
    return text(seal.open(key, store.get(key, left())));
  }

  /** The value of the node that came first: of this one, if there is none yet. */
  private String first(String name, String own) {
    String key = prefix + name;
    byte[] value = store.compareSet(key, new byte[0], seal.seal(key, bytes(own)));
    return text(seal.open(key, value));
  }

  /** Time that is left until the deadline; not negative. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  private void await(String key, String failure) {
    try {
      store.wait(List.of(prefix + key), left());
    } catch (StoreTimeoutException e) {
      throw new NodeCountException(failure + " in time; declared are " + topology, e);
    }
  }

  private String key(Role role, int ticket) {
    return prefix + "node/" + role + "/" + ticket;
  }

  /** Waits for all records and returns the lines ROLE TICKET RANK. */
  private String ranks() {
    StringBuilder lines = new StringBuilder();
    for (Role role : List.of(Role.SERVER, Role.WORKER)) {
      List<String> keys = new ArrayList<>();
      for (int ticket = 1; ticket <= topology.count(role); ticket++) {
        keys.add(key(role, ticket));
      }
      try {
        store.wait(keys, left());
      } catch (StoreTimeoutException e) {
        throw tooFew(e);
      }
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        entries.add(Entry.parse(i + 1, read(keys.get(i))));
      }
      order(entries, role)
          .forEach((ticket, rank) -> lines.append(role + " " + ticket + " " + rank + "\n"));
    }
    return lines.toString();
  }

  private NodeCountException tooFew(StoreTimeoutException cause) {
    Map<Role, Integer> here = new HashMap<>();
    for (Role role : List.of(Role.SERVER, Role.WORKER)) {
      int count = 0;
      while (count < topology.count(role) && store.check(List.of(key(role, count + 1)))) {
        count++;
      }
      here.put(role, count);
    }
    return new NodeCountException(
        ("declared are " + topology + ", but only " + here.get(Role.SERVER) + " and ")
            + (here.get(Role.WORKER) + " have come in time"),
        cause);
  }

  /** Ranks by ticket. */
  private static Map<Integer, Integer> order(List<Entry> entries, Role role) {
    Map<Integer, Integer> ranks = new HashMap<>();
    Entry[] places = new Entry[entries.size()];
    List<Entry> others = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.wanted < 0) {
        others.add(entry);
      } else if (entry.wanted >= places.length || places[entry.wanted] != null) {
        throw new NodeCountException(
            "rank " + entry.wanted + " of role " + role + " is asked for twice or too large", null);
      } else {
        places[entry.wanted] = entry;
      }
    }
    others.sort(
        Comparator.comparing(Entry::host)
            .thenComparingLong(Entry::pid)
            .thenComparingInt(Entry::ticket));
    Collections.reverse(others);
    for (int rank = 0; rank < places.length; rank++) {
      Entry entry = places[rank] != null ? places[rank] : others.remove(others.size() - 1);
      ranks.put(entry.ticket, rank);
    }
    return ranks;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName().replace(' ', '_');
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
