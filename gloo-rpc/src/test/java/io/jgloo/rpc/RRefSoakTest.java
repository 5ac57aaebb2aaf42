package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.rref.protocol.RRefTables;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Signals;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls and references between four agents, three of them processes that are stopped, continued,
 * killed and started again at random: no body runs twice, outcomes are true, values live as long as
 * their handles and owners, and at the end all tables are empty.
 *
 * <p>{@code -Djgloo.rref.soak=600} sets the seconds, {@code -Djgloo.rref.seed=N} the seed.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class RRefSoakTest {

  private static final int SIZE = 4;
  private static final int THREADS = 3;
  private static final long SECONDS =
      Long.getLong("jgloo.rref.soak", Boolean.getBoolean("jgloo.test.full") ? 60 : 3);
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private final TcpStore store = Stores.serve("127.0.0.1", 0, Agents.PATIENCE);
  private final ChildJvm[] children = new ChildJvm[SIZE];
  private final Set<AgentId> killed = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();

  /** Numbers of calls whose bodies have run, and of those that were not executed. */
  private final BitSet ran = new BitSet();

  private final BitSet notExecuted = new BitSet();
  private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
  private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
  private volatile boolean ends;
  private RpcAgent agent;

  @AfterEach
  void end() {
    ends = true;
    if (agent != null) {
      agent.close();
    }
    for (int rank = 1; rank < SIZE; rank++) {
      if (children[rank] != null) {
        children[rank].close();
      }
    }
    store.close();
  }

  private void startChild(int rank) throws IOException {
    children[rank] = RpcProcess.start(rank, SIZE, store.port());
  }

  private Void run(long number) {
    synchronized (ran) {
      assertBroken(!ran.get((int) number), "body " + number + " runs twice");
      ran.set((int) number);
    }
    return null;
  }

  private void assertBroken(boolean condition, String otherwise) {
    if (!condition) {
      broken.add(new AssertionError(otherwise));
    }
  }

  private void count(String outcome) {
    outcomes.computeIfAbsent(outcome, absent -> new LongAdder()).increment();
  }

  @Test
  void agentsThatAreStoppedAndKilled_keepTheGuarantees() throws Exception {
    for (int rank = 1; rank < SIZE; rank++) {
      startChild(rank);
    }
    RpcRegistry functions =
        RpcProcess.references(new ArrayList<>()).register(RpcProcess.RUN, this::run);
    agent = RpcAgent.start("a0", 0, SIZE, store, Agents.options().functions(functions).build());
    long seed = Long.getLong("jgloo.rref.seed", System.nanoTime());
    System.out.println("soak of " + SECONDS + " s, seed " + seed);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      Thread thread = new Thread(() -> traffic(random), "traffic");
      thread.start();
      threads.add(thread);
    }
    disturb(new Random(seed - 1));
    ends = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(broken.isEmpty(), () -> broken.size() + " broken, first: " + trace(broken.peek()));
    assertTrue(!ran.intersects(notExecuted), "a body ran that was reported as not executed");
    for (int rank = 1; rank < SIZE; rank++) {
      AgentId peer = agent.messenger().agent(rank).orElseThrow();
      await(
          "tables of " + peer + " are empty",
          () -> agent.rpcSync(peer, RpcProcess.DROP, null) == 0);
    }
    await("no entry is left", () -> agent.rrefs().tables().read(RRefTables::isQuiet));
    System.out.println(outcomes + ", bodies run: " + ran.cardinality());
    System.out.println(agent.rrefs().counts());
    for (int rank = 1; rank < SIZE; rank++) {
      agent.rpcSync("a" + rank, RpcProcess.LEAVE, null);
    }
    assertTrue(agent.shutdown(Agents.PATIENCE), "the shutdown");
    for (int rank = 1; rank < SIZE; rank++) {
      assertEquals(0, children[rank].exitCode());
    }
  }

  /** As {@link Agents#await}, for processes that start on a busy machine. */
  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, () -> "did not happen: " + what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static String trace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Stops, continues, kills and starts processes until the time is over. */
  private void disturb(Random random) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() - end < 0 && broken.isEmpty()) {
      int rank = 1 + random.nextInt(SIZE - 1);
      AgentId victim = agent.messenger().agent(rank).orElseThrow();
      if (random.nextInt(3) == 0) {
        killed.add(victim);
        children[rank].close();
        count("killed");
        startChild(rank);
        await(
            "agent " + rank + " is there again",
            () -> agent.messenger().agent(rank).filter(id -> !id.equals(victim)).isPresent());
      } else {
        Signals.send(children[rank].pid(), "STOP");
        LockSupport.parkNanos(random.nextInt(2_000_000_000));
        Signals.send(children[rank].pid(), "CONT");
        count("stopped");
      }
      LockSupport.parkNanos(random.nextInt(1_000_000_000));
    }
  }

  private void traffic(Random random) {
    while (!ends && broken.isEmpty()) {
      Optional<AgentId> one = agent.messenger().agent(1 + random.nextInt(SIZE - 1));
      Optional<AgentId> two = agent.messenger().agent(1 + random.nextInt(SIZE - 1));
      if (one.isEmpty() || two.isEmpty()) {
        LockSupport.parkNanos(10_000_000); // it starts again
        continue;
      }
      try {
        switch (random.nextInt(8)) {
          case 0 -> keep(one.get(), random.nextInt());
          case 1, 2, 3 -> create(one.get(), two.get(), random.nextInt());
          default -> call(one.get());
        }
      } catch (Throwable e) {
        broken.add(e);
      }
    }
  }

  private void call(AgentId peer) {
    long number = numbers.getAndIncrement();
    try {
      agent.rpcSync(peer, RpcProcess.FORWARD, number, LIMIT);
      count("call: result");
      synchronized (ran) {
        assertBroken(ran.get((int) number), "body " + number + " did not run, but has a result");
      }
    } catch (NotExecutedException e) {
      count("call: not executed");
      synchronized (ran) {
        notExecuted.set((int) number);
      }
    } catch (OutcomeUnknownException | RemoteCallException e) {
      count("call: unknown");
    }
  }

  /** A value at one agent, read by another and here. */
  private void create(AgentId owner, AgentId user, long value) {
    try (RRef<Long> ref = agent.rrefs().remote(owner, RpcProcess.TWICE, value, LIMIT)) {
      read(owner, 2 * value, () -> agent.rpcSync(user, RpcProcess.READ, ref, LIMIT));
      read(owner, 2 * value, () -> ref.toHere(LIMIT));
    }
  }

  /** A value of this agent, whose reference another keeps, until it is told to drop all. */
  private void keep(AgentId user, long value) {
    try (RRef<Long> own = agent.rrefs().of(value, Codecs.LONG)) {
      read(agent.self(), value, () -> agent.rpcSync(user, RpcProcess.KEEP, own, LIMIT));
      if (value % 64 == 0) {
        agent.rpcSync(user, RpcProcess.DROP, null, LIMIT);
      }
    } catch (NotExecutedException | OutcomeUnknownException e) {
      count("drop: failed");
    }
  }

  private void read(AgentId owner, long expected, Supplier<Long> read) {
    try {
      assertBroken(expected == read.get(), "a value is not " + expected);
      count("read: value");
    } catch (OperationTimeoutException | NotExecutedException | OutcomeUnknownException e) {
      count("read: late, or the reader is lost");
    } catch (RRefException | RemoteCallException e) {
      String text = e.getMessage();
      boolean lost = text.contains("OWNER_LOST");
      count(lost ? "read: owner lost" : "read: failed");
      boolean wrong = text.contains("DELETED") || text.contains("CLOSED");
      if (wrong || (lost && !killed.contains(owner))) {
        broken.add(new AssertionError("a live value of " + owner + " is gone", e));
      }
    } catch (JGlooException e) {
      broken.add(e);
    }
  }
}
