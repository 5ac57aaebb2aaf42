package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.message.Cut;
import io.jgloo.rpc.rref.protocol.RRefTables;
import io.jgloo.transport.OperationTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What agents promise at their start, at their end, and when calls and references fail. */
@Timeout(100)
final class PromisesTest {

  private static final Codec<RRef<Long>> REF = RRefs.codec(Codecs.LONG);
  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<Long, Long> ABSENT =
      new RpcFunction<>("absent", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<RRef<Long>, Long> READ =
      new RpcFunction<>("read", REF, Codecs.LONG);
  private static final RpcFunction<Long, Long> LATE =
      new RpcFunction<>("late", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<Long, RRef<Long>> MAKE =
      new RpcFunction<>("make", Codecs.LONG, REF);
  private static final RpcFunction<Long, RRef<Long>> FORWARD =
      new RpcFunction<>("forward", Codecs.LONG, REF);
  private static final RpcFunction<Long, RRef<Long>> GIVE =
      new RpcFunction<>("give", Codecs.LONG, REF);
  private static final RpcFunction<Integer, Void> HOP =
      new RpcFunction<>("hop", Codecs.INT, Codecs.NOTHING);

  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger hops = new AtomicInteger();
  private volatile RRef<Long> held;

  private RpcRegistry functions(int rank) {
    return new RpcRegistry()
        .register(TWICE, x -> 2 * x)
        .register(
            READ,
            ref -> {
              try (ref) {
                return ref.toHere();
              }
            })
        .register(
            LATE,
            x -> {
              go.await();
              return x;
            })
        .register(MAKE, (context, x) -> context.agent().rrefs().of(x, Codecs.LONG).handOver())
        .register(FORWARD, (context, x) -> context.agent().remote("a2", TWICE, x).handOver())
        .register(GIVE, x -> held)
        .register(
            HOP,
            (context, left) -> {
              hops.incrementAndGet();
              if (left > 0) {
                RpcAgent agent = context.agent();
                AgentId next = agent.peer("a" + (agent.rank() + 1) % agent.size());
                var unused = agent.rpcAsync(next, HOP, left - 1); // and it does not wait
              }
              return null;
            });
  }

  private Agents start(int size) throws Exception {
    return new Agents(size, this::functions);
  }

  private static CompletableFuture<Boolean> end(RpcAgent agent) {
    return Agents.later(() -> agent.shutdown(Agents.PATIENCE));
  }

  @Test
  void serverThatShutsDownFirst_servesUntilAllHave() throws Exception {
    try (Agents two = start(2)) {
      held = two.refs(1).of(5L, Codecs.LONG);
      CompletableFuture<Boolean> server = end(two.agent(1));
      Agents.await("the server has reported", () -> two.agent(1).messenger().isLeaving());
      for (int i = 0; i < 200 && two.refs(1).leaks().isEmpty(); i++) {
        LockSupport.parkNanos(1_000_000); // it is idle, and must not close its handles
      }
      try (RRef<Long> given = two.agent(0).rpcSync("a1", GIVE, 0L)) {
        assertEquals(5, given.toHere());
      }
      held.close();
      RRef<Long> ref = two.agent(0).remote("a1", TWICE, 4L);
      assertEquals(8, ref.toHere());
      assertEquals(6, two.agent(0).rpcSync("a1", TWICE, 3L));
      assertFalse(server.isDone());
      ref.close();
      assertTrue(end(two.agent(0)).get(50, TimeUnit.SECONDS));
      assertTrue(server.get(50, TimeUnit.SECONDS));
    }
  }

  @Test
  void chainThatNobodyWaitsFor_endsBeforeTheAgentsDo() throws Exception {
    for (int round = 1; round <= 2; round++) {
      try (Agents three = start(3)) {
        hops.set(0);
        var unused = three.agent(0).rpcAsync("a1", HOP, 40);
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
          ends.add(end(three.agent(rank)));
        }
        for (CompletableFuture<Boolean> each : ends) {
          assertTrue(each.get(50, TimeUnit.SECONDS));
        }
        assertEquals(41, hops.get());
      }
    }
  }

  @Test
  void agentThatClosesAtOnce_letsAllOthersStart() throws Exception {
    for (int round = 0; round < 3; round++) {
      try (HashStore store = new HashStore()) {
        List<CompletableFuture<RpcAgent>> starts = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
          int own = rank;
          starts.add(
              Agents.later(
                  () -> {
                    RpcAgent agent =
                        RpcAgent.start("a" + own, own, 3, store, Agents.options().build());
                    agent.close();
                    return agent;
                  }));
        }
        for (CompletableFuture<RpcAgent> each : starts) {
          each.get(50, TimeUnit.SECONDS);
        }
      }
    }
  }

  @Test
  void remoteAtAnAbsentRank_fails_andLeavesNothing() throws Exception {
    RpcOptions options =
        Agents.options()
            .messenger(Agents.options().build().messenger().toBuilder().startAgents(1).build())
            .build();
    try (HashStore store = new HashStore();
        RpcAgent agent = RpcAgent.start("a0", 0, 2, store, options)) {
      RRef<Long> ref = agent.rrefs().remote(new AgentId(1, 7), TWICE, 1L);
      assertThrows(RRefException.class, () -> ref.toHere(Duration.ofSeconds(40)));
      ref.close();
      boolean quiet = agent.rrefs().tables().read(RRefTables::isQuiet);
      assertTrue(quiet, agent.rrefs().dump());
      assertTrue(agent.shutdown(Agents.PATIENCE));
    }
  }

  @Test
  void refusedCreation_failsTheFetchOfAThirdAgent() throws Exception {
    try (Agents three = start(3)) {
      Cut cut = new Cut(three.agent(0).messenger(), 1); // the creation comes later
      RRef<Long> ref = three.agent(0).remote("a1", ABSENT, 1L);
      CompletableFuture<Long> read = three.agent(0).rpcAsync("a2", READ, ref);
      Agents.await("the fetch waits", () -> three.count(1, "parkedFetches") == 1);
      cut.heal();
      Throwable e =
          assertThrows(ExecutionException.class, () -> read.get(50, TimeUnit.SECONDS)).getCause();
      assertInstanceOf(RemoteCallException.class, e);
      assertTrue(e.getMessage().contains("CREATION_FAILED"), e::getMessage);
      ref.close();
      three.awaitQuiet();
    }
  }

  @Test
  void refusedReferences_failCallsAndFetches() throws Exception {
    try (Agents three = start(3)) {
      RpcAgent agent = three.agent(0);
      new Cut(three.agent(2).messenger(), 0); // no confirmation arrives
      RRef<RRef<Long>> nested = agent.remote("a1", FORWARD, 1L);
      List<CompletableFuture<RRef<Long>>> waits =
          List.of(
              Agents.later(() -> agent.rpcSync("a1", FORWARD, 2L)),
              agent.rpcAsync("a1", FORWARD, 3L),
              Agents.later(nested::toHere));
      Agents.await("all wait for the owner", () -> three.count(0, "arrivals") == waits.size());
      three.agent(2).close();
      for (CompletableFuture<RRef<Long>> each : waits) {
        Throwable refused =
            assertThrows(ExecutionException.class, () -> each.get(50, TimeUnit.SECONDS)).getCause();
        assertInstanceOf(RRefException.class, refused);
        assertTrue(refused.getMessage().contains("OWNER_LOST"), refused::getMessage);
      }
    }
  }

  @Test
  void timedOutFetches_leaveNothingAtTheOwner() throws Exception {
    try (Agents two = start(2)) {
      RRef<Long> ref = two.agent(0).remote("a1", LATE, 4L);
      for (int i = 0; i < 20; i++) {
        assertThrows(OperationTimeoutException.class, () -> ref.toHere(Duration.ofMillis(20)));
      }
      ref.close();
      Agents.await("no fetch is parked", () -> two.count(1, "parkedFetches") == 0);
      go.countDown();
      Agents.await("the body has ended", () -> two.count(1, "creations") == 0);
      two.awaitQuiet();
    }
  }

  @Test
  void causesOfFailedCreations_goWithTheirHandles() throws Exception {
    try (Agents two = start(2)) {
      for (int i = 0; i < 50; i++) {
        try (RRef<Long> ref = two.agent(0).remote("a1", ABSENT, 4L)) {
          assertThrows(RRefException.class, ref::toHere);
        }
      }
      Agents.await("no cause is left", () -> two.refs(0).creations.causes() == 0);
    }
  }

  @Test
  void argumentsOfCallsThatNeverBegin_areClosed() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> ref = three.agent(0).rpcSync("a2", MAKE, 3L);
      Cut cut = new Cut(three.agent(2).messenger(), 1); // no confirmation arrives
      List<CompletableFuture<Long>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(three.agent(0).rpcAsync("a1", READ, ref));
      }
      Agents.await("all wait for their arguments", () -> three.count(1, "arrivals") == 50);
      calls.forEach(call -> call.cancel(true));
      Agents.await("all are given up", () -> three.agent(1).counts().get("requests") == 0);
      cut.heal();
      Agents.await("the arguments are closed", () -> three.count(1, "users") == 0);
      assertEquals(0, three.count(1, "collected"), "handles that only the collector has closed");
      ref.close();
      three.awaitQuiet();
    }
  }

  @Test
  void argumentsOfACreationThatIsLate_areClosed() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> argument = three.agent(0).rpcSync("a2", MAKE, 3L);
      Cut cut = new Cut(three.agent(2).messenger(), 1); // no confirmation arrives
      RRef<Long> ref = three.refs(0).remote(three.id(1), READ, argument, Duration.ofMillis(500));
      Agents.await("it waits for its argument", () -> three.count(1, "arrivals") == 1);
      assertThrows(RRefException.class, ref::toHere);
      cut.heal();
      Agents.await("the argument is closed", () -> three.count(1, "users") == 0);
      assertEquals(0, three.count(1, "collected"), "handles that only the collector has closed");
      ref.close();
      argument.close();
      three.awaitQuiet();
      assertEquals(List.of(true, true, true), three.shutdown(Agents.PATIENCE));
    }
  }

  @Test
  void handleThatIsHandedOver_goesWithTheResult() throws Exception {
    try (Agents two = start(2)) {
      for (long i = 0; i < 100; i++) {
        try (RRef<Long> ref = two.agent(0).rpcSync("a1", MAKE, i)) {
          assertEquals(i, ref.toHere());
        }
      }
      two.awaitQuiet();
    }
  }

  @Test
  void creationThatOutlastsItsTimeout_fails() throws Exception {
    try (Agents two = start(2)) {
      RRef<Long> ref = two.refs(0).remote(two.id(1), LATE, 4L, Duration.ofMillis(300));
      RRefException late = assertThrows(RRefException.class, ref::toHere);
      assertEquals(RRefException.Reason.CREATION_FAILED, late.reason());
      go.countDown();
      ref.close();
      two.awaitQuiet();
    }
  }

  @Test
  void agentThatTheStoreHasReplaced_endsItself() throws Exception {
    MessengerOptions messenger = Agents.options().build().messenger();
    RpcOptions options =
        Agents.options()
            .messenger(
                messenger.toBuilder().peerTimeout(Duration.ofSeconds(1)).startAgents(1).build())
            .build();
    try (HashStore store = new HashStore();
        RpcAgent agent = RpcAgent.start("a0", 0, 2, store, options)) {
      String key = "jgloo-rpc/rpc/agent/0";
      byte[] record = store.get(key);
      ByteBuffer.wrap(record).putLong(12, agent.self().incarnation() + 5); // a later process
      store.set(key, record);
      Agents.await("the agent has ended", () -> isEnded(agent));
      NotExecutedException ended =
          assertThrows(NotExecutedException.class, () -> agent.rpcSync(agent.self(), ABSENT, 1L));
      assertTrue(ended.getMessage().contains("replaced"), ended::getMessage);
    }
  }

  private static boolean isEnded(RpcAgent agent) {
    try {
      agent.rpcSync(agent.self(), ABSENT, 1L);
      return false;
    } catch (NotExecutedException e) {
      return e.getMessage().contains("replaced");
    } catch (OutcomeUnknownException e) {
      return false; // it ended while this was under way
    }
  }

  @Test
  void registerAfterTheStart_isRefused() throws Exception {
    RpcRegistry functions = functions(0);
    try (Agents agents = new Agents(1, functions)) {
      assertEquals(4, agents.agent(0).rpcSync("a0", TWICE, 2L));
      IllegalStateException late =
          assertThrows(IllegalStateException.class, () -> functions.register(ABSENT, x -> x));
      assertTrue(late.getMessage().contains("before the agent starts"), late::getMessage);
    }
  }

  @Test
  void nameOfAnAgentThatHasEnded_isFree() throws Exception {
    RpcOptions options =
        Agents.options()
            .messenger(Agents.options().build().messenger().toBuilder().startAgents(1).build())
            .build();
    try (HashStore store = new HashStore()) {
      RpcAgent.start("name", 0, 2, store, options).close();
      try (RpcAgent agent = RpcAgent.start("name", 1, 2, store, options)) {
        assertEquals("name", agent.name());
        assertThrows(
            IllegalStateException.class, () -> RpcAgent.start("name", 0, 2, store, options));
      }
    }
  }

  @Test
  void longStack_keepsItsRootCause() throws Exception {
    RpcFunction<Integer, Void> deep = new RpcFunction<>("deep", Codecs.INT, Codecs.NOTHING);
    RpcRegistry functions =
        new RpcRegistry()
            .register(
                deep,
                depth -> {
                  throw nested(depth);
                });
    try (Agents agents = new Agents(1, functions)) {
      RemoteCallException thrown =
          assertThrows(RemoteCallException.class, () -> agents.agent(0).rpcSync("a0", deep, 200));
      assertInstanceOf(String.class, thrown.remoteStack());
      assertTrue(thrown.remoteStack().contains("the root of all"), thrown::remoteStack);
    }
  }

  private static Exception nested(int depth) {
    return depth == 0
        ? new IllegalStateException("the root of all")
        : new IllegalStateException("level " + depth, nested(depth - 1));
  }
}
