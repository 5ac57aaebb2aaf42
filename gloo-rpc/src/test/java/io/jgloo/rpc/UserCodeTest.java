package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code of users that throws, blocks or calls where it should not: agents go on. */
@Timeout(100)
final class UserCodeTest {

  private static final int CALLS = 100;
  private static final RpcFunction<Integer, Integer> TWICE =
      new RpcFunction<>("twice", Codecs.INT, Codecs.INT);

  /** Its write succeeds, its read throws an Error. */
  private static final Codec<Integer> UNREADABLE =
      Codecs.of(
          "unreadable",
          (value, out) -> out.putInt(value),
          in -> {
            throw new StackOverflowError("planted");
          });

  private static final RpcFunction<Integer, Integer> BAD_RESULT =
      new RpcFunction<>("bad-result", Codecs.INT, UNREADABLE);
  private static final RpcFunction<Integer, Integer> BAD_ARGUMENT =
      new RpcFunction<>("bad-argument", UNREADABLE, Codecs.INT);
  private static final RpcFunction<Integer, Integer> FAIL =
      new RpcFunction<>("fail", Codecs.INT, Codecs.INT);
  private static final RpcFunction<Block, Integer> READ_BLOCK =
      new RpcFunction<>("read-block", Codecs.BLOCK, Codecs.INT);
  private static final RpcFunction<Integer, Integer> MUTUAL =
      new RpcFunction<>("mutual", Codecs.INT, Codecs.INT);

  /** An exception none of whose texts can be read. */
  private static final class MuteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  private static RpcRegistry functions() {
    return new RpcRegistry()
        .register(TWICE, x -> 2 * x)
        .register(BAD_RESULT, x -> x)
        .register(BAD_ARGUMENT, x -> x)
        .register(
            FAIL,
            x -> {
              throw new MuteException();
            })
        .register(READ_BLOCK, block -> (int) block.length())
        .register(
            MUTUAL,
            (context, x) -> {
              List<CompletableFuture<Integer>> parts = new ArrayList<>();
              for (int i = 0; i < 2; i++) {
                parts.add(context.agent().rpcAsync(context.caller(), TWICE, x));
              }
              CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0])).join();
              return parts.get(0).thenApply(y -> y + 1).get();
            });
  }

  private static void assertWorks(Agents agents) {
    assertEquals(42, agents.agent(0).rpcSync("a1", TWICE, 21));
    assertEquals(42, agents.agent(1).rpcSync("a0", TWICE, 21));
  }

  private static Throwable causeOf(CompletableFuture<?> future) {
    return assertThrows(ExecutionException.class, () -> future.get(50, TimeUnit.SECONDS))
        .getCause();
  }

  @Test
  void errorInTheCodecOfAResult_isTheOutcomeOfTheCall() throws Exception {
    try (Agents agents = new Agents(rank -> options(), 2)) {
      RpcAgent agent = agents.agent(0);
      var later = agent.rpcAsync("a1", BAD_RESULT, 1);
      CompletableFuture<Throwable> seen = new CompletableFuture<>();
      var unused = later.whenComplete((value, e) -> seen.complete(e));
      assertInstanceOf(StackOverflowError.class, seen.get(50, TimeUnit.SECONDS));
      assertThrows(StackOverflowError.class, () -> agent.rpcSync("a1", BAD_RESULT, 1));
      assertWorks(agents);
    }
  }

  @Test
  void errorInTheCodecOfAnArgument_isAnswered() throws Exception {
    try (Agents agents = new Agents(rank -> options(), 2)) {
      Throwable refused = causeOf(agents.agent(0).rpcAsync("a1", BAD_ARGUMENT, 1));
      assertInstanceOf(NotExecutedException.class, refused);
      assertTrue(refused.getMessage().contains("planted"), refused::getMessage);
      RRef<Integer> ref = agents.agent(0).remote("a1", BAD_ARGUMENT, 1);
      RRefException failed = assertThrows(RRefException.class, ref::toHere);
      assertTrue(failed.getMessage().contains("planted"), failed::getMessage);
      ref.close();
      assertWorks(agents);
    }
  }

  @Test
  void exceptionWhoseMessageThrows_isAnswered() throws Exception {
    try (Agents agents = new Agents(rank -> options(), 2)) {
      Throwable thrown = causeOf(agents.agent(0).rpcAsync("a1", FAIL, 1));
      RemoteCallException remote = assertInstanceOf(RemoteCallException.class, thrown);
      assertEquals(MuteException.class.getName(), remote.remoteType());
      RRef<Integer> ref = agents.agent(0).remote("a1", FAIL, 1);
      assertThrows(RemoteCallException.class, ref::toHere);
      ref.close();
      assertWorks(agents);
    }
  }

  @Test
  void releaseOfABlockThatThrows_endsNothing() throws Exception {
    try (Agents agents = new Agents(rank -> options(), 2)) {
      AtomicInteger releases = new AtomicInteger();
      Block memory = Block.allocate(100);
      Block lent =
          Block.of(
              memory.address(),
              100,
              () -> {
                releases.incrementAndGet();
                throw new IllegalStateException("planted");
              });
      assertEquals(100, agents.agent(0).rpcSync("a1", READ_BLOCK, lent));
      Agents.await("the block is released", () -> releases.get() == 1);
      memory.close();
      assertWorks(agents);
    }
  }

  /** A value whose close waits, and calls the agent that owned it. */
  private record Slow(RpcAgent agent, CountDownLatch go, CompletableFuture<Integer> called)
      implements AutoCloseable {
    @Override
    public void close() {
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      called.complete(agent.rpcSync("a1", TWICE, 4));
    }
  }

  @Test
  void closeOfADroppedValue_mayWaitAndCall() throws Exception {
    try (Agents agents = new Agents(rank -> options(), 2)) {
      CountDownLatch go = new CountDownLatch(1);
      CompletableFuture<Integer> called = new CompletableFuture<>();
      RpcAgent owner = agents.agent(0);
      Codec<Slow> codec = Codecs.local(Slow.class);
      RpcFunction<RRef<Slow>, Void> keep =
          new RpcFunction<>("keep", RRefs.codec(codec), Codecs.NOTHING);
      try (RRef<Slow> ref = owner.rrefs().of(new Slow(owner, go, called), codec)) {
        assertThrows(NotExecutedException.class, () -> owner.rpcSync("a1", keep, ref));
      }
      assertWorks(agents);
      go.countDown();
      assertEquals(8, called.get(50, TimeUnit.SECONDS));
    }
  }

  @Test
  void bodiesThatWaitForCombinedFutures_getOtherThreads() throws Exception {
    try (Agents agents = new Agents(rank -> options(2), 2)) {
      List<CompletableFuture<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        calls.add(agents.agent(i % 2).rpcAsync("a" + (1 - i % 2), MUTUAL, i));
      }
      for (int i = 0; i < CALLS; i++) {
        assertEquals(2 * i + 1, calls.get(i).get(80, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void workersCount_onEachJdk() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    RpcFunction<Void, Void> hold = new RpcFunction<>("hold", Codecs.NOTHING, Codecs.NOTHING);
    RpcRegistry functions =
        new RpcRegistry()
            .register(
                hold,
                nothing -> {
                  begun.incrementAndGet();
                  go.await();
                  return null;
                });
    try (Agents agents =
        new Agents(
            rank ->
                Agents.options()
                    .functions(rank == 1 ? functions : new RpcRegistry())
                    .workers(2)
                    .build(),
            2)) {
      List<CompletableFuture<Void>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        calls.add(agents.agent(0).rpcAsync("a1", hold, null));
      }
      Agents.await("two bodies run", () -> begun.get() == 2);
      Agents.await("all have arrived", () -> agents.agent(1).counts().get("requests") == 8);
      assertEquals(2, begun.get());
      go.countDown();
      for (CompletableFuture<Void> call : calls) {
        call.get(50, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void actionsOnFutures_neverRunInTheThreadOfMessages() throws Exception {
    try (Agents agents = new Agents(rank -> options(), 2)) {
      RpcAgent agent = agents.agent(0);
      LinkedBlockingQueue<Boolean> handling = new LinkedBlockingQueue<>();
      for (int i = 0; i < 5_000; i++) {
        var unused =
            agent
                .rpcAsync("a1", TWICE, i)
                .thenRun(() -> handling.add(agent.messenger().isHandling()));
      }
      for (int i = 0; i < 5_000; i++) {
        Boolean one = handling.poll(50, TimeUnit.SECONDS);
        assertNotNull(one, "an action has not run");
        // The thread that adds an action may be one that moves messages, but not for the agent.
        assertFalse(one, "in the thread that moves messages");
      }
    }
  }

  private static RpcOptions options() {
    return options(64);
  }

  private static RpcOptions options(int workers) {
    return Agents.options().functions(functions()).workers(workers).build();
  }
}
