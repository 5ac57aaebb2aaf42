package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.transport.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls between agents of one JVM, over TCP. */
@Timeout(60)
final class RpcAgentTest {

  private static final RpcFunction<long[], Long> SUM =
      new RpcFunction<>("sum", Codecs.LONGS, Codecs.LONG);
  private static final RpcFunction<byte[], byte[]> ECHO =
      new RpcFunction<>("echo", Codecs.BYTES, Codecs.BYTES);
  private static final RpcFunction<Block, Block> ECHO_BLOCK =
      new RpcFunction<>("echo-block", Codecs.BLOCK, Codecs.BLOCK);
  private static final RpcFunction<Integer, Integer> NEST =
      new RpcFunction<>("nest", Codecs.INT, Codecs.INT);
  private static final RpcFunction<String, Void> FAIL =
      new RpcFunction<>("fail", Codecs.STRING, Codecs.NOTHING);
  private static final RpcFunction<Void, Integer> WAIT =
      new RpcFunction<>("wait", Codecs.NOTHING, Codecs.INT);

  record Point(int x, List<String> names) {}

  private static final Codec<Point> POINT =
      Codecs.record(MethodHandles.lookup(), Point.class, Codecs.INT, Codecs.list(Codecs.STRING));
  private static final RpcFunction<Point, Point> MOVE = new RpcFunction<>("move", POINT, POINT);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();

  private RpcRegistry functions() {
    return new RpcRegistry()
        .register(SUM, (context, values) -> java.util.Arrays.stream(values).sum())
        .register(ECHO, (context, bytes) -> bytes, RpcRegistry.Execution.DIRECT)
        .register(ECHO_BLOCK, (context, block) -> block)
        .register(MOVE, (context, point) -> new Point(point.x + 1, point.names))
        .register(
            FAIL,
            (context, text) -> {
              throw new UnsupportedOperationException(text);
            })
        .register(
            WAIT,
            (context, nothing) -> {
              runs.incrementAndGet();
              begun.countDown();
              go.await();
              return 7;
            })
        .register(
            NEST,
            (context, depth) ->
                depth == 0 ? 0 : 1 + context.agent().rpcSync(context.caller(), NEST, depth - 1));
  }

  @Test
  void call_returnsTheResultOfTheFunction() throws Exception {
    try (Agents agents = new Agents(3, functions())) {
      for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
          AgentId peer = agents.agent(from).peer("a" + to);
          assertEquals(6L, agents.agent(from).rpcSync(peer, SUM, new long[] {1, 2, 3}));
          Point moved = agents.agent(from).rpcSync(peer, MOVE, new Point(4, List.of("a", "ü")));
          assertEquals(new Point(5, List.of("a", "ü")), moved);
        }
      }
      assertEquals(List.of(true, true, true), agents.shutdown(Agents.PATIENCE));
    }
  }

  @Test
  void arraysOfAllSizes_arriveUnchanged_andNoMemoryIsLeft() throws Exception {
    long before = Memory.allocatedBytes();
    SplittableRandom random = new SplittableRandom(3);
    try (Agents agents = new Agents(2, functions())) {
      AgentId peer = agents.agent(0).peer("a1");
      for (int length : new int[] {0, 1, 4096, 65_000, 65_536, 66_000, 1 << 20, 9_000_001}) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        assertArrayEquals(bytes, agents.agent(0).rpcSync(peer, ECHO, bytes), length + " bytes");
      }
      agents.shutdown(Agents.PATIENCE);
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void block_isSentWithoutACopy_andFreedOnBothSides() throws Exception {
    long before = Memory.allocatedBytes();
    try (Agents agents = new Agents(2, functions())) {
      AgentId peer = agents.agent(0).peer("a1");
      for (long length : new long[] {0, 8, 4096, 64 << 20}) {
        Block block = Block.allocate(length);
        if (length > 0) {
          Memory.putLong(block.address() + length - Long.BYTES, length);
        }
        try (Block back = agents.agent(0).rpcSync(peer, ECHO_BLOCK, block)) {
          assertEquals(length, back.length());
          if (length > 0) {
            assertEquals(length, Memory.getLong(back.address() + length - Long.BYTES));
          }
        }
      }
      agents.shutdown(Agents.PATIENCE);
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void exceptionOfTheBody_arrivesWithTypeMessageAndStack() throws Exception {
    try (Agents agents = new Agents(2, functions())) {
      for (String to : List.of("a0", "a1")) {
        AgentId peer = agents.agent(0).peer(to);
        RemoteCallException thrown =
            assertThrows(
                RemoteCallException.class, () -> agents.agent(0).rpcSync(peer, FAIL, "no way"));
        assertEquals("java.lang.UnsupportedOperationException", thrown.remoteType());
        assertEquals("no way", thrown.remoteMessage());
        assertTrue(thrown.remoteStack().contains("RpcAgentTest"), thrown.remoteStack());
        ExecutionException later =
            assertThrows(
                ExecutionException.class,
                () -> agents.agent(0).rpcAsync(peer, FAIL, "later").get(20, TimeUnit.SECONDS));
        assertInstanceOf(RemoteCallException.class, later.getCause());
      }
    }
  }

  @Test
  void unknownFunctionAndOtherTypes_areNotExecuted() throws Exception {
    RpcFunction<Integer, Integer> unknown = new RpcFunction<>("unknown", Codecs.INT, Codecs.INT);
    RpcFunction<int[], Long> otherTypes = new RpcFunction<>("sum", Codecs.INTS, Codecs.LONG);
    try (Agents agents = new Agents(2, functions())) {
      AgentId peer = agents.agent(0).peer("a1");
      assertThrows(NotExecutedException.class, () -> agents.agent(0).rpcSync(peer, unknown, 1));
      NotExecutedException types =
          assertThrows(
              NotExecutedException.class,
              () -> agents.agent(0).rpcSync(peer, otherTypes, new int[1]));
      assertTrue(types.getMessage().contains("sum(i64[])->i64"), types.getMessage());
      assertEquals(1L, agents.agent(0).rpcSync(peer, SUM, new long[] {1}));
    }
  }

  @Test
  void deadline_endsACallThatRunsAsUnknown_andTheAgentGoesOn() throws Exception {
    try (Agents agents = new Agents(2, functions())) {
      AgentId peer = agents.agent(0).peer("a1");
      CompletableFuture<Integer> call =
          agents.agent(0).rpcAsync(peer, WAIT, null, Duration.ofSeconds(2));
      begun.await();
      ExecutionException end =
          assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
      assertInstanceOf(OutcomeUnknownException.class, end.getCause());
      assertEquals(1L, agents.agent(0).rpcSync(peer, SUM, new long[] {1}));
      go.countDown();
    }
    assertEquals(1, runs.get());
  }

  @Test
  void cancelledCall_thatHasNotBegun_neverRuns() throws Exception {
    try (Agents agents =
        new Agents(rank -> Agents.options().workers(1).functions(functions()).build(), 2)) {
      AgentId peer = agents.agent(0).peer("a1");
      CompletableFuture<Integer> future = agents.agent(0).rpcAsync(peer, WAIT, null);
      begun.await();
      List<CompletableFuture<Integer>> others = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        others.add(agents.agent(0).rpcAsync(peer, WAIT, null));
      }
      others.forEach(other -> other.cancel(true));
      assertEquals(1L, agents.agent(1).rpcSync(agents.agent(1).peer("a0"), SUM, new long[] {1}));
      go.countDown();
      assertEquals(7, future.get(20, TimeUnit.SECONDS));
      assertEquals(List.of(true, true), agents.shutdown(Agents.PATIENCE));
    }
    assertTrue(runs.get() >= 1 && runs.get() <= 21);
  }

  @Test
  void nestedCalls_betweenAgentsOfOneWorkerEach_end() throws Exception {
    try (Agents agents =
        new Agents(rank -> Agents.options().workers(1).functions(functions()).build(), 2)) {
      for (String to : List.of("a0", "a1")) {
        assertEquals(20, agents.agent(0).rpcSync(agents.agent(0).peer(to), NEST, 20));
      }
    }
  }

  @Test
  void pipelinedCalls_ofManyThreads_allEnd() throws Exception {
    int threads = 8;
    int calls = 2000;
    try (Agents agents = new Agents(2, functions())) {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int own = thread;
        ends.add(
            Agents.later(
                () -> {
                  RpcAgent agent = agents.agent(own % 2);
                  AgentId peer = agent.peer("a" + (1 - own % 2));
                  List<CompletableFuture<Long>> results = new ArrayList<>();
                  for (int i = 0; i < calls; i++) {
                    results.add(agent.rpcAsync(peer, SUM, new long[] {own, i}));
                  }
                  for (int i = 0; i < calls; i++) {
                    assertEquals(own + i, results.get(i).get(30, TimeUnit.SECONDS));
                  }
                  return null;
                }));
      }
      for (CompletableFuture<Void> end : ends) {
        end.get(40, TimeUnit.SECONDS);
      }
      assertEquals(0L, agents.agent(0).counts().get("calls"));
      assertEquals(0L, agents.agent(0).counts().get("requests"));
    }
  }

  @Test
  void directBody_mustNotWait() throws Exception {
    RpcFunction<Void, Void> waits = new RpcFunction<>("waits", Codecs.NOTHING, Codecs.NOTHING);
    RpcRegistry registry =
        functions()
            .register(
                waits,
                (context, nothing) -> {
                  context.agent().rpcSync(context.caller(), SUM, new long[0]);
                  return null;
                },
                RpcRegistry.Execution.DIRECT);
    try (Agents agents = new Agents(2, registry)) {
      RemoteCallException thrown =
          assertThrows(
              RemoteCallException.class,
              () -> agents.agent(0).rpcSync(agents.agent(0).peer("a1"), waits, null));
      assertEquals("java.lang.IllegalStateException", thrown.remoteType());
    }
  }

  @Test
  void closedPeer_endsCallsToIt_andLaterOnesAreNotExecuted() throws Exception {
    try (Agents agents = new Agents(2, functions())) {
      AgentId peer = agents.agent(0).peer("a1");
      CompletableFuture<Integer> waiting = agents.agent(0).rpcAsync(peer, WAIT, null);
      begun.await();
      AgentId own = agents.agent(0).self();
      agents.agent(1).close();
      assertThrows(
          NotExecutedException.class, () -> agents.agent(1).rpcSync(own, SUM, new long[0]));
      ExecutionException cause =
          assertThrows(ExecutionException.class, () -> waiting.get(20, TimeUnit.SECONDS));
      assertInstanceOf(OutcomeUnknownException.class, cause.getCause());
      assertThrows(
          NotExecutedException.class, () -> agents.agent(0).rpcSync(peer, SUM, new long[0]));
      go.countDown();
    }
  }

  @Test
  void recording_showsCallsAndPeers(@TempDir Path folder) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("io.jgloo.rpc.Call").withoutThreshold();
      recording.enable("io.jgloo.rpc.Peer");
      recording.start();
      try (Agents agents = new Agents(2, functions())) {
        AgentId peer = agents.agent(0).peer("a1");
        assertEquals(1L, agents.agent(0).rpcSync(peer, SUM, new long[] {1}));
        CompletableFuture<Integer> waiting = agents.agent(0).rpcAsync(peer, WAIT, null);
        begun.await();
        go.countDown();
        assertEquals(7, waiting.get(20, TimeUnit.SECONDS));
      }
      recording.stop();
      Path file = folder.resolve("rpc.jfr");
      recording.dump(file);
      List<String> outcomes = new ArrayList<>();
      List<String> peers = new ArrayList<>();
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals("io.jgloo.rpc.Call")) {
          outcomes.add(event.getString("outcome"));
        } else if (event.getEventType().getName().equals("io.jgloo.rpc.Peer")) {
          peers.add(event.getString("what").replaceAll(":.*", ""));
        }
      }
      assertEquals(List.of("replied", "replied"), outcomes);
      assertEquals(2, Collections.frequency(peers, "joined"), peers.toString());
    }
  }

  @Test
  void secondAgentOfARankOrName_isRefused() throws Exception {
    try (Agents agents = new Agents(2, functions())) {
      IllegalStateException rank =
          assertThrows(
              IllegalStateException.class,
              () -> RpcAgent.start("a1", 1, 2, agents.store(), Agents.options().build()));
      assertTrue(rank.getMessage().contains("already registered"), rank.getMessage());
      IllegalStateException name =
          assertThrows(
              IllegalStateException.class,
              () -> RpcAgent.start("a0", 1, 2, agents.store(), Agents.options().build()));
      assertTrue(name.getMessage().contains("belongs to agent 0"), name.getMessage());
      assertThrows(
          IllegalArgumentException.class,
          () -> RpcAgent.start("a b", 1, 2, agents.store(), Agents.options().build()));
    }
  }

  @Test
  void shutdown_waitsForCallsAndEndsAtItsTimeoutWithoutTheOthers() throws Exception {
    try (Agents agents = new Agents(2, functions())) {
      CompletableFuture<Integer> call =
          agents.agent(0).rpcAsync(agents.agent(0).peer("a1"), WAIT, null);
      begun.await();
      CompletableFuture<Boolean> alone =
          Agents.later(() -> agents.agent(0).shutdown(Duration.ofMillis(300)));
      assertEquals(false, alone.get(20, TimeUnit.SECONDS));
      assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
      go.countDown();
    }
  }
}
