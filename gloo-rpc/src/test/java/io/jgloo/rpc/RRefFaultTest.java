package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.message.Cut;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Remote references over a control channel that loses messages, and creations that fail. */
@Timeout(60)
final class RRefFaultTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final Codec<RRef<Long>> REF = RRefs.codec(Codecs.LONG);
  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<Long, Long> ABSENT =
      new RpcFunction<>("absent", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<RRef<Long>, Long> READ =
      new RpcFunction<>("read", REF, Codecs.LONG);
  private static final RpcFunction<Long, RRef<Long>> MAKE =
      new RpcFunction<>("make", Codecs.LONG, REF);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch made = new CountDownLatch(1);

  /** Its argument is not read before the test says so. */
  private final RpcFunction<Long, Long> slow =
      new RpcFunction<>(
          "slow",
          Codecs.of(
              "slow",
              (value, out) -> out.putLong(value),
              in -> {
                awaitGo();
                return in.getLong();
              }),
          Codecs.LONG);

  private Agents group;

  private void awaitGo() {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private RpcRegistry functions(int rank) {
    return new RpcRegistry()
        .register(slow, (context, value) -> value)
        .register(TWICE, (context, value) -> 2 * value)
        .register(
            READ,
            (context, ref) -> {
              try (ref) {
                return ref.toHere();
              }
            })
        .register(
            MAKE,
            (context, value) -> {
              begun.countDown();
              go.await();
              RRef<Long> result = group.refs(rank).of(value, Codecs.LONG);
              made.countDown();
              return result;
            });
  }

  private Agents start(int size) throws Exception {
    group = new Agents(size, this::functions);
    return group;
  }

  /** All four scenarios, in one group of three. */
  private static void shareWithAll(Agents three) {
    RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, 21L);
    assertEquals(42, three.agent(0).rpcSync(three.id(1), READ, ref));
    assertEquals(42, three.agent(0).rpcSync(three.id(2), READ, ref));
    assertEquals(42, ref.toHere());
    ref.close();
    RRef<Long> own = three.refs(1).of(5L, Codecs.LONG);
    assertEquals(5, three.agent(1).rpcSync(three.id(2), READ, own));
    own.close();
  }

  @Test
  void rr07_lostFrames_deliverEachControlMessageOnce() throws Exception {
    try (Agents three = start(3)) {
      for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
          if (from != to) {
            Cut.losing(three.agent(from).messenger(), to, 20);
          }
        }
      }
      shareWithAll(three);
      three.awaitQuiet();
      for (int rank = 0; rank < 3; rank++) {
        assertEquals(List.of(), three.refs(rank).leaks());
      }
    }
  }

  @Test
  void rr08_deleteThatCannotArrive_isALeak_andShutdownEnds() throws Exception {
    for (int ends = 0; ends < 2; ends++) {
      try (Agents two = start(2)) {
        RRef<Long> ref = two.refs(0).remote(two.id(1), TWICE, 1L);
        assertEquals(2, ref.toHere());
        new Cut(two.agent(0).messenger(), 1);
        ref.close();
        assertEquals(1, two.count(0, "outbox"));
        assertEquals(1, two.count(1, "owners"), "the owner cannot know");
        assertFalse(two.agent(ends).shutdown(Duration.ofMillis(500)));
        // An owner lists forks that it cannot know to be deleted.
        assertEquals(
            ends,
            two.refs(ends).leaks().size(),
            () -> "" + two.refs(0).leaks() + two.refs(1).leaks());
      }
    }
  }

  @Test
  void deletesWhileTheQueueIsFull_freeTheValues() throws Exception {
    MessengerOptions.Builder messenger = Agents.options().build().messenger().toBuilder();
    messenger.frameBytes(4096).windowBytes(10_000).payloadBytes(1 << 20).maxMessageBytes(1 << 20);
    RpcOptions.Builder options = Agents.options().messenger(messenger.queueBytes(20_000).build());
    group = new Agents(rank -> options.functions(functions(rank)).build(), 2);
    try (Agents two = group) {
      List<RRef<Long>> refs = new ArrayList<>();
      for (long i = 0; i < 100; i++) {
        refs.add(two.refs(0).remote(two.id(1), TWICE, i));
        assertEquals(2 * i, refs.get((int) i).toHere());
      }
      Cut cut = new Cut(two.agent(0).messenger(), 1);
      List<CompletableFuture<Long>> calls = new ArrayList<>();
      for (long i = 0; i < 1000; i++) {
        calls.add(two.agent(0).rpcAsync(two.id(1), TWICE, i));
      }
      CompletableFuture<Long> refused = calls.get(999);
      assertThrows(ExecutionException.class, () -> refused.get(30, TimeUnit.SECONDS));
      refs.forEach(RRef::close);
      assertEquals(100, two.count(0, "outbox"));
      cut.heal();
      two.awaitQuiet();
    }
  }

  @Test
  void rr08_forkRequestThatCannotArrive_endsTheCallAtItsDeadline() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, 1L);
      assertEquals(2, ref.toHere());
      Cut cut = new Cut(three.agent(2).messenger(), 1);
      JGlooException late =
          assertThrows(
              JGlooException.class,
              () -> three.agent(0).rpcSync(three.id(2), READ, ref, Duration.ofMillis(200)));
      assertTrue(late.getMessage().contains("deadline"), late::getMessage);
      cut.heal();
      ref.close();
      three.awaitQuiet();
    }
  }

  @Test
  void rr10_creationRefused_failsFetchesAndForks() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> ref = three.refs(0).remote(three.id(1), ABSENT, 1L);
      RRefException fetch = assertThrows(RRefException.class, ref::toHere);
      assertEquals(RRefException.Reason.CREATION_FAILED, fetch.reason());
      assertTrue(fetch.getMessage().contains("has no function"), fetch::getMessage);
      RRefException fork =
          assertThrows(RRefException.class, () -> three.agent(0).rpcSync(three.id(2), READ, ref));
      assertEquals(RRefException.Reason.CREATION_FAILED, fork.reason());
      assertTrue(ref.confirmed().isCompletedExceptionally());
      ref.close();
      three.awaitQuiet();
    }
  }

  @Test
  void rr11_creationThatTimesOut_leavesNothing() throws Exception {
    try (Agents two = start(2)) {
      RRef<Long> ref = two.refs(0).remote(two.id(1), slow, 1L, Duration.ofMillis(50));
      var confirmed = ref.confirmed();
      assertThrows(ExecutionException.class, () -> confirmed.get(30, TimeUnit.SECONDS));
      Agents.await("the owner knows", () -> two.agent(1).counts().get("requests") == 0);
      RRefException late = assertThrows(RRefException.class, ref::toHere);
      assertEquals(RRefException.Reason.CREATION_FAILED, late.reason());
      go.countDown();
      ref.close();
      two.awaitQuiet();
      assertEquals(0, two.count(1, "dropped"), "it did not run");
    }
  }

  @Test
  void rr11_creationThatTimesOutButRuns_isFreedByTheLateDelete() throws Exception {
    try (Agents two = start(2)) {
      go.countDown();
      Cut answers = new Cut(two.agent(1).messenger(), 0);
      RRef<Long> ref = two.refs(0).remote(two.id(1), slow, 1L, Duration.ofSeconds(2));
      Agents.await("the function runs", () -> two.count(1, "owners") == 1);
      RRefException late = assertThrows(RRefException.class, ref::toHere);
      assertEquals(RRefException.Reason.CREATION_FAILED, late.reason());
      assertThrows(RRefException.class, () -> two.agent(0).rpcSync(two.id(1), READ, ref));
      answers.heal();
      assertEquals(1, two.count(1, "owners"), "the owner cannot know");
      ref.close();
      two.awaitQuiet();
      Agents.await("the value is dropped", () -> two.count(1, "dropped") == 1);
      assertEquals(List.of(true, true), two.shutdown(Agents.PATIENCE));
      assertEquals(List.of(), two.refs(0).leaks());
      assertEquals(List.of(), two.refs(1).leaks());
    }
  }

  @Test
  void callThatIsRefused_takesItsForksBack() throws Exception {
    RpcFunction<RRef<Long>, Long> absent = new RpcFunction<>("absent", REF, Codecs.LONG);
    try (Agents three = start(3)) {
      RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, 1L);
      for (int to = 1; to < 3; to++) {
        AgentId callee = three.id(to);
        assertThrows(NotExecutedException.class, () -> three.agent(0).rpcSync(callee, absent, ref));
      }
      RRef<Long> own = three.refs(0).of(1L, Codecs.LONG);
      assertThrows(
          NotExecutedException.class, () -> three.agent(0).rpcSync(three.id(2), absent, own));
      own.close();
      ref.close();
      three.awaitQuiet();
    }
  }

  @Test
  void resultThatTheCallerDoesNotTake_isTakenBack() throws Exception {
    try (Agents two = start(2)) {
      var call = two.agent(0).rpcAsync(two.id(1), MAKE, 3L, Duration.ofSeconds(3));
      begun.await();
      call.cancel(true);
      go.countDown();
      made.await();
      Agents.await(
          "the owner takes the fork back",
          () -> {
            System.gc();
            return two.isQuiet(1);
          });
      two.awaitQuiet();
    }
  }

  /** The network between user and owner is cut, both ways; the other links work. */
  @Test
  @Timeout(120)
  void rr21_cutNetwork_freesNothingEarly_andEndsWithoutALeak() throws Exception {
    Duration length = Duration.ofSeconds(FULL ? 30 : 1);
    try (Agents three = start(3)) {
      RRef<Long> kept = three.refs(0).remote(three.id(1), TWICE, 1L);
      RRef<Long> closed = three.refs(0).remote(three.id(1), TWICE, 2L);
      assertEquals(2, kept.toHere());
      assertEquals(4, closed.toHere());
      Cut out = new Cut(three.agent(0).messenger(), 1);
      Cut back = new Cut(three.agent(1).messenger(), 0);
      closed.close();
      assertThrows(OperationTimeoutException.class, () -> kept.toHere(length));
      assertEquals(2, three.agent(0).rpcSync(three.id(2), READ, kept), "by way of agent 2");
      CompletableFuture<Long> read = CompletableFuture.supplyAsync(kept::toHere);
      Agents.await("the fetch waits", () -> three.count(0, "fetches") == 1);
      assertEquals(2, three.count(1, "owners"), "nothing is freed");
      assertFalse(read.isDone());
      out.heal();
      back.heal();
      assertEquals(2, read.get(30, TimeUnit.SECONDS));
      Agents.await("the delete arrives", () -> three.count(1, "owners") == 1);
      assertEquals(2, kept.toHere());
      kept.close();
      three.awaitQuiet();
      for (int rank = 0; rank < 3; rank++) {
        assertEquals(List.of(), three.refs(rank).leaks());
      }
    }
  }
}
