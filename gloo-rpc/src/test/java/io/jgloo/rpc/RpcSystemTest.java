package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Signals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents in processes of their own, which are killed, stopped, started again and started late. */
@Timeout(100)
final class RpcSystemTest {

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final TcpStore store = Stores.serve("127.0.0.1", 0, PATIENCE);
  private final Map<Integer, ChildJvm> children = new HashMap<>();
  private final BlockingQueue<AgentId> joined = new LinkedBlockingQueue<>();
  private final BlockingQueue<AgentId> lost = new LinkedBlockingQueue<>();
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger held = new AtomicInteger();
  private RpcAgent agent;

  /** Starts agent 0 here, and those of other ranks in processes. */
  private void start(int size, int startAgents, int workers, int... ranks) throws IOException {
    for (int rank : ranks) {
      startProcess(rank, size);
    }
    RpcOptions options = Agents.options().build();
    RpcRegistry functions =
        new RpcRegistry()
            .register(
                RpcProcess.HOLD,
                (context, nothing) -> {
                  held.incrementAndGet();
                  go.await();
                  return null;
                });
    agent =
        RpcAgent.start(
            "a0",
            0,
            size,
            store,
            options.toBuilder()
                .messenger(options.messenger().toBuilder().startAgents(startAgents).build())
                .functions(functions)
                .workers(workers)
                .listener(listener())
                .build());
  }

  private PeerListener listener() {
    return new PeerListener() {
      @Override
      public void joined(AgentId peer) {
        joined.add(peer);
      }

      @Override
      public void lost(AgentId peer, JGlooException cause) {
        lost.add(peer);
      }
    };
  }

  private void startProcess(int rank, int size) throws IOException {
    children.put(rank, RpcProcess.start(rank, size, store.port()));
  }

  private AgentId next(BlockingQueue<AgentId> queue) throws InterruptedException {
    AgentId next = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertTrue(next != null, "there was no such event");
    return next;
  }

  private static Throwable causeOf(CompletableFuture<?> future) {
    return assertThrows(
            ExecutionException.class, () -> future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .getCause();
  }

  @AfterEach
  void end() {
    go.countDown();
    if (agent != null) {
      agent.close();
    }
    children.values().forEach(ChildJvm::close);
    store.close();
  }

  @Test
  void killedCallee_endsItsCalls_andANewProcessTakesItsPlace() throws Exception {
    start(3, 0, 8, 1, 2);
    AgentId first = agent.peer("a1");
    CompletableFuture<Long> begun = agent.rpcAsync(first, RpcProcess.HANG, 1L);
    CompletableFuture<Void> halt = agent.rpcAsync(first, RpcProcess.HALT, null);
    assertInstanceOf(OutcomeUnknownException.class, causeOf(begun));
    assertInstanceOf(OutcomeUnknownException.class, causeOf(halt));
    assertEquals(first, next(lost));
    assertInstanceOf(
        NotExecutedException.class, causeOf(agent.rpcAsync(first, RpcProcess.COUNT, null)));
    assertThrows(NotExecutedException.class, () -> agent.peer("a1"));
    assertEquals(1L, agent.rpcSync(agent.peer("a2"), RpcProcess.COUNT, null));

    joined.clear();
    startProcess(1, 3);
    AgentId second = next(joined);
    assertEquals(1, second.rank());
    assertTrue(second.incarnation() > first.incarnation(), second + " after " + first);
    assertEquals(second, agent.peer("a1"));
    assertEquals(1L, agent.rpcSync(second, RpcProcess.COUNT, null));
    assertInstanceOf(
        NotExecutedException.class, causeOf(agent.rpcAsync(first, RpcProcess.COUNT, null)));
    assertEquals(2L, agent.rpcSync(agent.peer("a2"), RpcProcess.COUNT, null));

    agent.rpcSync(second, RpcProcess.LEAVE, null);
    agent.rpcSync(agent.peer("a2"), RpcProcess.LEAVE, null);
    assertTrue(agent.shutdown(PATIENCE));
    assertEquals(0, children.get(1).exitCode());
    assertEquals(0, children.get(2).exitCode());
  }

  @Tag("full")
  @Test
  void requestsOfAKilledCaller_thatHaveNotBegun_neverRun() throws Exception {
    int calls = 50;
    start(2, 0, 4, 1);
    AgentId caller = agent.peer("a1");
    agent.rpcSync(caller, RpcProcess.CALL_BACK, calls);
    await(() -> agent.counts().get("requests") == calls);
    // What is added to a future runs although all workers wait.
    CompletableFuture<Void> added = agent.rpcAsync(caller, RpcProcess.HALT, null).thenRun(() -> {});
    assertInstanceOf(OutcomeUnknownException.class, causeOf(added));
    assertEquals(caller, next(lost));
    go.countDown();
    await(() -> agent.counts().get("requests") == 0);
    // Virtual threads begin all of them; a pool of 4 begins 4, and the others are refused.
    assertTrue(held.get() == calls || held.get() <= 4, held + " of " + calls + " have begun");
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void stoppedCallee_endsCallsAtTheirDeadline_andGoesOnLater() throws Exception {
    start(2, 0, 4, 1);
    AgentId peer = agent.peer("a1");
    long pid = agent.rpcSync(peer, RpcProcess.PID, null);
    assertEquals(1L, agent.rpcSync(peer, RpcProcess.COUNT, null));
    Signals.send(pid, "STOP");
    List<CompletableFuture<Long>> late = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      late.add(agent.rpcAsync(peer, RpcProcess.COUNT, null, Duration.ofMillis(500)));
    }
    for (CompletableFuture<Long> call : late) {
      assertInstanceOf(OutcomeUnknownException.class, causeOf(call));
    }
    Signals.send(pid, "CONT");
    long runs = agent.rpcSync(peer, RpcProcess.COUNT, null);
    assertTrue(runs >= 2 && runs <= 12, "the body ran " + runs + " times");
  }

  @Test
  void secondProcessOfARank_isRefused_whileTheFirstIsStopped() throws Exception {
    start(2, 0, 4, 1);
    AgentId first = agent.peer("a1");
    long pid = agent.rpcSync(first, RpcProcess.PID, null);
    Signals.send(pid, "STOP");
    CompletableFuture<RpcAgent> second =
        Agents.later(() -> RpcAgent.start("a1", 1, 2, store, Agents.options().build()));
    await(() -> isProbedInVain() || second.isDone());
    Signals.send(pid, "CONT");
    assertInstanceOf(IllegalStateException.class, causeOf(second));
    assertEquals(1L, agent.rpcSync(first, RpcProcess.COUNT, null));
  }

  /** Whether a start waits because the process that it has asked did not answer. */
  private static boolean isProbedInVain() {
    return Thread.getAllStackTraces().values().stream()
        .anyMatch(
            stack ->
                IntStream.range(1, stack.length)
                    .anyMatch(
                        i ->
                            stack[i].getMethodName().equals("isAlive")
                                && stack[i - 1].getMethodName().equals("parkNanos")));
  }

  @Tag("full")
  @Test
  void agentsThatStartLater_join() throws Exception {
    start(3, 1, 4);
    assertThrows(NotExecutedException.class, () -> agent.peer("a2"));
    startProcess(2, 3);
    startProcess(1, 3); // an agent of a process waits for all
    AgentId one = next(joined);
    AgentId other = next(joined);
    assertEquals(3, one.rank() + other.rank());
    for (AgentId peer : List.of(one, other)) {
      assertEquals(1L, agent.rpcSync(peer, RpcProcess.COUNT, null));
    }
  }
}
