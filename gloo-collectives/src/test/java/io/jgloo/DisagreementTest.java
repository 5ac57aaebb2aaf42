package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that call different things fail, all of them, with both sides in the message. */
@Timeout(120)
class DisagreementTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int GUARD = 100;

  private static Arguments call(String one, String other, Ranks.Body body) {
    return Arguments.of(one, other, body);
  }

  private static CallOptions named(String algorithm) {
    return CallOptions.DEFAULTS.algorithm(algorithm);
  }

  /** What two ranks say of their calls, and what the ranks call: rank 0 another than rank 1. */
  static Stream<Arguments> calls() {
    return Stream.of(
        call(
            "of 999 float32 sum",
            "of 1000 float32 sum",
            (group, rank) -> group.allreduce(new float[rank == 0 ? 999 : 1000], ReduceOp.SUM)),
        call(
            "of 300000 int64 sum",
            "of 300001 int64 sum",
            (group, rank) ->
                group.allreduce(new long[rank == 0 ? 300_000 : 300_001], ReduceOp.SUM)),
        call(
            "of 100 float32 max",
            "of 100 int32 max",
            (group, rank) ->
                group.allreduce(
                    rank == 0 ? Payload.of(new float[100]) : Payload.of(new int[100]),
                    ReduceOp.MAX)),
        call(
            "int32 min",
            "int32 product",
            (group, rank) ->
                group.allreduce(new int[9], rank == 0 ? ReduceOp.MIN : ReduceOp.PRODUCT)),
        call(
            "allreduce(ring)",
            "allreduce(recursiveDoubling)",
            (group, rank) ->
                group
                    .with(named(rank == 0 ? "ring" : "recursiveDoubling"))
                    .allreduce(new int[100], ReduceOp.SUM)),
        call(
            "rank 0 called barrier",
            "called allreduce",
            (group, rank) -> {
              if (rank == 0) {
                group.barrier();
              } else {
                group.allreduce(new float[1000], ReduceOp.SUM);
              }
            }),
        call(
            "allgatherv",
            "of 5 int32 in blocks #",
            (group, rank) -> {
              long[] counts = rank == 0 ? new long[] {2, 1, 2} : new long[] {2, 2, 1};
              group.allgatherv(Payload.of(new int[5]), counts);
            }),
        call(
            "disagree about an earlier call",
            "barrier",
            (group, rank) -> {
              group.gather(Payload.of(new int[4]), Payload.of(new int[12]), rank == 2 ? 1 : 0);
              group.barrier();
            }),
        call(
            "called broadcast",
            "called allreduce",
            (group, rank) -> {
              group.barrier();
              if (rank == 1) {
                group.broadcast(new int[5], 1);
              }
              group.allreduce(new int[5], ReduceOp.SUM);
              if (rank != 1) {
                group.broadcast(new int[5], 1);
              }
            }));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("calls")
  void callsThatDiffer_areBothNamed(String one, String other, Ranks.Body body) {
    assertTold(disagree(3, body), one, other);
  }

  @Test
  void differentCountsInAnAlltoallv() {
    List<Throwable> failures =
        disagree(
            2,
            (group, rank) -> {
              long[] sent = {1, 1};
              long[] received = rank == 0 ? new long[] {1, 2} : new long[] {1, 1};
              int[] output = new int[(int) (received[0] + received[1])];
              group.alltoallv(Payload.of(new int[2]), sent, Payload.of(output), received);
              group.barrier(); // rank 1 has got what it expected
            });
    assertTold(failures, "message of 8 bytes", "message of 4 bytes");
  }

  /** What is in the cell of the first call tells what it was. */
  @Test
  void rootsThatExpectNothingOfEachOtherAreFoundOutByTheNextCall() {
    assertTold(bothAreRoots(5), "called broadcast", "called barrier");
  }

  @Test
  void longBroadcastsOfTwoRootsAreFoundOutByTheNextCall() {
    assertTold(bothAreRoots(5000), "disagree about an earlier call", "barrier");
  }

  private static List<Throwable> bothAreRoots(int count) {
    return disagree(
        2,
        (group, rank) -> {
          group.broadcast(new int[count], rank);
          group.barrier();
        });
  }

  /** The root has nothing to send, and leaves before the others take notice. */
  @ParameterizedTest
  @MethodSource("routes")
  void emptyBroadcastOfARankThatLeaves_isReportedToTheOthers(DeviceOptions options) {
    CountDownLatch left = new CountDownLatch(1);
    List<Throwable> failures =
        disagree(
            options,
            3,
            (group, rank) -> {
              if (rank == 0) {
                group.broadcast(new int[0], 0);
                group.close();
                left.countDown();
              } else {
                left.await();
                group.broadcast(new int[5000], 0);
              }
            });
    assertNull(failures.get(0));
    assertTold(failures.subList(1, 3), " of 0 int32 with root 0", " of 5000 int32 with root 0");
  }

  /** Rank 2 is served by the root that it names, and leaves; rank 1 waits for rank 2. */
  @ParameterizedTest
  @MethodSource("routes")
  void otherRootOfARankThatLeaves_isReportedToTheOneThatWaits(DeviceOptions options) {
    for (int count : new int[] {5, 5000}) {
      List<Throwable> failures =
          disagree(
              options,
              3,
              (group, rank) -> {
                int root = rank == 1 ? 2 : 0;
                group.with(CallOptions.DEFAULTS.algorithm("flat")).broadcast(new int[count], root);
                group.close();
              });
      assertTold(failures.subList(1, 2), "int32 with root 2", "int32 with root 0");
    }
  }

  /** What one rank announces the other does not take. */
  @ParameterizedTest
  @MethodSource("routes")
  void emptyReduceOfARankThatLeaves_isReportedToTheSender(DeviceOptions options) {
    List<Throwable> failures =
        disagree(
            options,
            2,
            (group, rank) -> {
              group.reduce(Payload.of(new int[rank == 0 ? 0 : 2_000_000]), ReduceOp.SUM, 0);
              group.close();
            });
    assertNull(failures.get(0));
    assertTold(failures.subList(1, 2), " of 0 int32 sum", " of 2000000 int32 sum");
  }

  private static List<DeviceOptions> routes() {
    DeviceOptions tcp = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    return List.of(tcp, tcp.with("memory", "off"));
  }

  private static List<Throwable> disagree(DeviceOptions options, int size, Ranks.Body body) {
    try (Ranks ranks = Ranks.on(Devices.open("tcp", options), size, LONG)) {
      return ranks.outcomes(body);
    }
  }

  @Test
  void rootsThatLeaveARankWaitingNeverEndWell() {
    try (Ranks ranks = Ranks.of(4, Duration.ofSeconds(1))) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                group.broadcast(new int[5], rank == 3 ? 2 : 1);
                group.allreduce(new int[5], ReduceOp.SUM);
              });
      failures.forEach(failure -> assertInstanceOf(JGlooException.class, failure));
    }
  }

  @Test
  void aSkippedCallEndsAtTheDeadline() {
    CountDownLatch skipped = new CountDownLatch(1);
    Duration late = Duration.ofSeconds(10);
    try (Ranks ranks = Ranks.of(2, LONG)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                group.barrier();
                if (rank == 0) {
                  skipped.await();
                  group.with(CallOptions.DEFAULTS.timeout(Duration.ofMillis(300))).barrier();
                } else {
                  skipped.countDown();
                }
              });
      OperationTimeoutException timeout =
          assertInstanceOf(OperationTimeoutException.class, failures.get(0));
      assertEquals(List.of(1), timeout.missingPeers());
      FailureContext context = timeout.context().orElseThrow();
      assertEquals(1, context.sequence(), timeout.getMessage());
      assertTrue(context.elapsed().compareTo(late) < 0, timeout.getMessage());
      assertNull(failures.get(1));
    }
  }

  /** By cells and by messages, in calls that agree and in one that does not. */
  @ParameterizedTest
  @CsvSource({"1000,false", "100000,true"})
  void beyondTheVectorNothingIsWritten(int count, boolean direct) {
    FloatBuffer[] x = new FloatBuffer[3];
    Arrays.setAll(x, rank -> guarded(count, direct));
    try (Ranks ranks = Ranks.of(3, LONG)) {
      ranks.each(
          (group, rank) -> group.allreduce(Payload.of(x[rank].slice(GUARD, count)), ReduceOp.SUM));
      for (FloatBuffer each : x) {
        assertEquals(15, each.get(GUARD + count - 1));
        checkGuards(each, count);
      }
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                int own = rank == 1 ? count + 1 : count;
                group.allreduce(Payload.of(x[rank].slice(GUARD, own)), ReduceOp.SUM);
              });
      failures.forEach(failure -> assertInstanceOf(JGlooException.class, failure));
    }
    for (int rank = 0; rank < x.length; rank++) {
      checkGuards(x[rank], rank == 1 ? count + 1 : count);
    }
  }

  @Test
  void blockThatIsLongerThanExpected_isNotWritten() {
    FloatBuffer output = guarded(2, true);
    List<Throwable> failures =
        disagree(
            2,
            (group, rank) -> {
              long[] ones = {1, 1};
              long[] sent = rank == 0 ? ones : new long[] {2, 1};
              Payload input = Payload.of(new float[rank == 0 ? 2 : 3]);
              Payload received =
                  rank == 0 ? Payload.of(output.slice(GUARD, 2)) : Payload.of(new float[2]);
              group.alltoallv(input, sent, received, ones);
              group.barrier();
            });
    checkGuards(output, 2);
    assertTold(failures, "message of 4 bytes", "message of 8 bytes");
  }

  /** Elements that are all 5, with a guard on either side. */
  private static FloatBuffer guarded(int count, boolean direct) {
    int all = count + 2 * GUARD;
    FloatBuffer floats = FloatBuffer.allocate(all);
    if (direct) {
      ByteBuffer memory = ByteBuffer.allocateDirect(all * Float.BYTES);
      floats = memory.order(ByteOrder.nativeOrder()).asFloatBuffer();
    }
    for (int i = 0; i < all; i++) {
      floats.put(i, 5);
    }
    return floats;
  }

  /** The elements before the first and behind the last of these are as they were. */
  private static void checkGuards(FloatBuffer floats, int count) {
    for (int i = 0; i < floats.capacity(); i++) {
      if (i < GUARD || i >= GUARD + count) {
        assertEquals(5, floats.get(i), "element " + (i - GUARD) + " of " + count);
      }
    }
  }

  private static List<Throwable> disagree(int size, Ranks.Body body) {
    try (Ranks ranks = Ranks.of(size, LONG)) {
      return ranks.outcomes(body);
    }
  }

  private static void assertTold(List<Throwable> failures, String one, String other) {
    boolean described = false;
    for (Throwable failure : failures) {
      JGlooException gloo = assertInstanceOf(JGlooException.class, failure);
      described |=
          gloo instanceof MismatchException
              && gloo.getMessage().contains(one)
              && gloo.getMessage().contains(other);
    }
    assertTrue(described, () -> "neither side in words: " + failures);
  }
}
