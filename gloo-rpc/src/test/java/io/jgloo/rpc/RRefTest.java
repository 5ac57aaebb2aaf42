package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Remote references between agents of one JVM, over TCP. */
@Timeout(60)
final class RRefTest {

  private static final Codec<RRef<Long>> REF = RRefs.codec(Codecs.LONG);
  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<Long, Long> LATE =
      new RpcFunction<>("late", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<String, Long> FAIL =
      new RpcFunction<>("fail", Codecs.STRING, Codecs.LONG);
  private static final RpcFunction<RRef<Long>, Long> READ =
      new RpcFunction<>("read", REF, Codecs.LONG);
  private static final RpcFunction<RRef<Long>, Long> COUNT =
      new RpcFunction<>("count", REF, Codecs.LONG);
  private static final RpcFunction<RRef<Long>, Long> PASS_TO_NEXT =
      new RpcFunction<>("pass-to-next", REF, Codecs.LONG);
  private static final RpcFunction<Long, RRef<Long>> MAKE =
      new RpcFunction<>("make", Codecs.LONG, REF);
  private static final RpcFunction<RRef<Long>, List<RRef<Long>>> BOTH =
      new RpcFunction<>("both", REF, Codecs.list(REF));
  private static final RpcFunction<List<RRef<Long>>, Long> SUM =
      new RpcFunction<>("sum", Codecs.list(REF), Codecs.LONG);

  private static final RpcFunction<RRef<Long>, Long> READ_LATER =
      new RpcFunction<>("read-later", REF, Codecs.LONG);

  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();
  private Agents group;

  private RpcRegistry functions(int rank) {
    return registerCalls(rank, new RpcRegistry())
        .register(
            TWICE,
            (context, value) -> {
              runs.incrementAndGet();
              return 2 * value;
            })
        .register(
            LATE,
            (context, value) -> {
              go.await();
              return value;
            })
        .register(
            FAIL,
            (context, text) -> {
              throw new UnsupportedOperationException(text);
            });
  }

  /** Functions that take or return references. */
  private RpcRegistry registerCalls(int rank, RpcRegistry registry) {
    return registry
        .register(
            READ,
            (context, ref) -> {
              try (ref) {
                return ref.toHere();
              }
            })
        .register(
            READ_LATER,
            (context, ref) -> {
              try (ref) {
                begun.countDown();
                go.await();
                return ref.toHere();
              }
            })
        .register(
            PASS_TO_NEXT,
            (context, ref) -> {
              try (ref) {
                int next = (rank + 1) % context.agent().size();
                return context.agent().rpcSync(group.id(next), READ, ref);
              }
            })
        .register(
            COUNT,
            (context, ref) -> {
              ref.close();
              return 1L;
            })
        .register(MAKE, (context, value) -> group.refs(rank).of(value, Codecs.LONG))
        .register(BOTH, (context, ref) -> List.of(ref, ref))
        .register(
            SUM,
            (context, refs) -> {
              long sum = 0;
              for (RRef<Long> ref : refs) {
                sum += ref.toHere();
                ref.close();
              }
              return sum;
            });
  }

  private Agents start(int size) throws Exception {
    group = new Agents(size, this::functions);
    return group;
  }

  @Test
  void rr01_userReadsTheValueAndClosesIt() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, 21L);
      assertEquals(42, ref.toHere());
      ref.confirmed().get(30, TimeUnit.SECONDS);
      assertEquals(42, three.agent(0).rpcSync(three.id(1), READ, ref), "S2: the owner reads it");
      assertEquals(42, three.agent(0).rpcSync(three.id(2), READ, ref), "S4: another user reads it");
      ref.close();
      ref.close();
      assertThrows(IllegalStateException.class, ref::toHere);
      RRef<Long> own = three.refs(1).of(5L, Codecs.LONG);
      assertEquals(5, own.toHere());
      assertEquals(5, three.agent(1).rpcSync(three.id(2), READ, own), "S3: a user reads it");
      own.close();
      three.awaitQuiet();
      assertEquals(List.of(true, true, true), three.shutdown(Agents.PATIENCE));
    }
  }

  @Test
  void rr12_toHereAfterADeadline_getsTheValue() throws Exception {
    try (Agents two = start(2);
        RRef<Long> ref = two.refs(0).remote(two.id(1), LATE, 7L)) {
      assertThrows(OperationTimeoutException.class, () -> ref.toHere(Duration.ofMillis(10)));
      go.countDown();
      assertEquals(7, ref.toHere());
    }
  }

  @Test
  void rr13_functionThatThrows_isSeenByEachHolder() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> ref = three.refs(0).remote(three.id(1), FAIL, "no");
      RemoteCallException here = assertThrows(RemoteCallException.class, ref::toHere);
      assertEquals("java.lang.UnsupportedOperationException", here.remoteType());
      assertEquals("no", here.remoteMessage());
      for (int rank = 1; rank < 3; rank++) {
        RemoteCallException there =
            assertThrows(
                RemoteCallException.class, () -> three.agent(0).rpcSync(three.id(1), READ, ref));
        assertEquals(RemoteCallException.class.getName(), there.remoteType());
        assertTrue(there.remoteMessage().contains("UnsupportedOperationException: no"));
      }
      ref.close();
      three.awaitQuiet();
    }
  }

  @Test
  void rr14_referencesToItself_work() throws Exception {
    try (Agents one = start(2)) {
      RRef<Long> ref = one.refs(0).remote(one.id(0), TWICE, 4L);
      assertTrue(ref.isOwner());
      assertEquals(8, ref.toHere());
      assertEquals(8, one.agent(0).rpcSync(one.id(0), READ, ref));
      RRef<Long> second = one.refs(0).remote(one.id(0), READ, ref);
      assertEquals(8, second.toHere());
      RRef<Long> elsewhere = one.refs(0).remote(one.id(1), TWICE, 8L);
      assertEquals(16, one.agent(0).rpcSync(one.id(0), READ, elsewhere), "a user to itself");
      ref.close();
      second.close();
      elsewhere.close();
      one.awaitQuiet();
    }
  }

  @Test
  void rr15_nestedCallsPassTheReferenceOn() throws Exception {
    try (Agents four = start(4)) {
      RRef<Long> ref = four.refs(0).remote(four.id(3), TWICE, 1L);
      assertEquals(2, four.agent(0).rpcSync(four.id(1), PASS_TO_NEXT, ref));
      assertEquals(2, four.agent(0).rpcSync(four.id(2), PASS_TO_NEXT, ref), "to the owner");
      RRef<Long> made = four.refs(0).remote(four.id(1), PASS_TO_NEXT, ref);
      ref.close();
      assertEquals(2, made.toHere(), "the argument outlives the handle it was made of");
      made.close();
      four.awaitQuiet();
    }
  }

  @Test
  void rr16_collectionsAndResults_haveAForkForEachTime() throws Exception {
    try (Agents three = start(3)) {
      RRef<Long> made = three.agent(0).rpcSync(three.id(1), MAKE, 9L);
      assertFalse(made.isOwner());
      assertEquals(9, made.toHere());
      List<RRef<Long>> both = three.agent(0).rpcSync(three.id(2), BOTH, made);
      assertEquals(2, both.size());
      // The body's own argument is closed by the collector; the results do not depend on it.
      assertEquals(27, three.agent(0).rpcSync(three.id(2), SUM, List.of(made, made, both.get(0))));
      List<RRef<Long>> owners = three.agent(0).rpcSync(three.id(1), BOTH, both.get(1));
      assertEquals(9, owners.get(1).toHere());
      made.close();
      both.forEach(RRef::close);
      owners.forEach(RRef::close);
      Agents.await(
          "the collector finds the arguments of two bodies",
          () -> {
            System.gc();
            return three.isQuiet(1) && three.isQuiet(2);
          });
      three.awaitQuiet();
    }
  }

  @Test
  void rr17_manyThreadsSendOneReference() throws Exception {
    int threads = 16;
    int each = 625;
    try (Agents three = start(3)) {
      RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, 1L);
      List<CompletableFuture<Long>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int to = 1 + i % 2;
        ends.add(
            CompletableFuture.supplyAsync(
                () -> {
                  long sum = 0;
                  List<CompletableFuture<Long>> calls = new ArrayList<>();
                  for (int k = 0; k < each; k++) {
                    calls.add(three.agent(0).rpcAsync(three.id(to), COUNT, ref));
                  }
                  for (CompletableFuture<Long> call : calls) {
                    sum += call.join();
                  }
                  return sum;
                },
                task -> new Thread(task, "sender").start()));
      }
      long sum = 0;
      for (CompletableFuture<Long> end : ends) {
        sum += end.get(50, TimeUnit.SECONDS);
      }
      assertEquals((long) threads * each, sum);
      ref.close();
      three.awaitQuiet();
      Agents.await("the value is dropped", () -> three.count(1, "dropped") == 1);
    }
  }

  @Test
  void rr18_handleThatIsNotClosed_isClosedByTheCollector() throws Exception {
    try (Agents two = start(2)) {
      assertEquals(42, two.refs(0).remote(two.id(1), TWICE, 21L).toHere());
      Agents.await(
          "the collector finds the handle",
          () -> {
            System.gc();
            return two.isQuiet(1);
          });
      two.awaitQuiet();
      assertEquals(1, two.count(0, "collected"));
    }
  }

  @Test
  void argumentsAreConfirmedBeforeTheBodyRuns() throws Exception {
    try (Agents three = start(3)) {
      for (int i = 0; i < 200; i++) {
        RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, (long) i);
        CompletableFuture<Long> read = three.agent(0).rpcAsync(three.id(2), READ, ref);
        ref.close();
        assertEquals(2L * i, read.get(30, TimeUnit.SECONDS));
      }
      three.awaitQuiet();
    }
  }

  @Test
  void rr22_shutdownWithOpenHandles_reportsThemAndEnds() throws Exception {
    try (Agents two = start(2)) {
      RRef<Long> open = two.refs(0).remote(two.id(1), TWICE, 1L);
      RRef<Long> own = two.refs(1).of(1L, Codecs.LONG);
      assertEquals(2, open.toHere());
      assertEquals(List.of(true, true), two.shutdown(Agents.PATIENCE));
      assertEquals(1, two.refs(0).leaks().size(), () -> two.refs(0).leaks().toString());
      assertTrue(two.refs(0).leaks().get(0).contains(open.handle.fork.toString()));
      assertEquals(1, two.refs(1).leaks().size(), () -> two.refs(1).leaks().toString());
      assertTrue(own.isOwner());
    }
  }

  @Test
  void rr22_shutdownWhileACallHoldsAReference_letsItEnd() throws Exception {
    try (Agents two = start(2)) {
      RRef<Long> ref = two.refs(0).of(7L, Codecs.LONG);
      CompletableFuture<Long> read = two.agent(0).rpcAsync(two.id(1), READ_LATER, ref);
      assertTrue(begun.await(30, TimeUnit.SECONDS));
      CompletableFuture<Boolean> end =
          CompletableFuture.supplyAsync(
              () -> two.agent(1).shutdown(Agents.PATIENCE),
              task -> new Thread(task, "shutdown").start());
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
      while (two.refs(1).leaks().isEmpty() && System.nanoTime() - deadline < 0) {
        Thread.onSpinWait(); // the handle must not be closed as long as the call runs
      }
      assertEquals(List.of(), two.refs(1).leaks());
      go.countDown();
      assertEquals(7L, read.get(30, TimeUnit.SECONDS));
      ref.close();
      assertTrue(two.agent(0).shutdown(Agents.PATIENCE));
      assertTrue(end.get(30, TimeUnit.SECONDS));
      assertEquals(List.of(), two.refs(1).leaks());
    }
  }

  @Test
  void rr22_shutdownWithAFunctionThatDoesNotEnd_endsAtTheDeadline() throws Exception {
    try (Agents two = start(2)) {
      RRef<Long> open = two.refs(0).remote(two.id(1), LATE, 1L);
      open.confirmed().get(30, TimeUnit.SECONDS);
      List<Boolean> ends = two.shutdown(Duration.ofMillis(300));
      assertFalse(ends.get(1), "the function still runs");
      go.countDown();
    }
  }
}
