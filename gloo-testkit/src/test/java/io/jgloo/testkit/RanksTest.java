package io.jgloo.testkit;

import static io.jgloo.testkit.RankAssertions.assertAlgorithm;
import static io.jgloo.testkit.RankAssertions.assertBytesAtMost;
import static io.jgloo.testkit.RankAssertions.assertMessagesAtMost;
import static io.jgloo.testkit.RankAssertions.assertReference;
import static io.jgloo.testkit.RankAssertions.assertSameBits;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.CallOptions;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.PeerLostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The annotations: methods and lifecycle methods per rank, other parameters, faults, processes. */
@Timeout(120)
final class RanksTest {

  private final AtomicInteger once = new AtomicInteger();
  private final AtomicInteger before = new AtomicInteger();
  private final AtomicInteger after = new AtomicInteger();

  @BeforeEach
  void beforeTest() {
    once.incrementAndGet();
  }

  @BeforeEach
  void beforeRank(ProcessGroup group) {
    before.incrementAndGet();
    group.barrier();
  }

  @AfterEach
  void afterRank(ProcessGroup group) {
    after.incrementAndGet();
  }

  @AfterEach
  void afterTest(TestInfo test) {
    assertEquals(before.get(), after.get(), test.getDisplayName());
  }

  private static void reduce(ProcessGroup group) {
    int[] x = {1};
    group.allreduce(x, ReduceOp.SUM);
    assertEquals(group.size(), x[0]);
  }

  @Ranks({1, 2, 3, 5})
  void methods_runOncePerRank(ProcessGroup group, TestInfo test) {
    reduce(group);
    assertEquals(group.size(), before.get());
    assertEquals(1, once.get());
    assertTrue(test.getDisplayName().contains(group.size() + " rank"), test.getDisplayName());
  }

  @Ranks(4)
  @Simulated(seed = 7, seeds = 3)
  void simulated_runsPerSeed(ProcessGroup group) {
    reduce(group);
  }

  @Ranks(3)
  void faults_areAParameter(ProcessGroup group, Faults faults) {
    assertThrows(PeerLostException.class, () -> loopAndKill(group, faults));
  }

  @Ranks(value = 2, processes = true)
  void processes_areTwo(ProcessGroup group) {
    long[] pids = new long[2];
    group.allgather(new long[] {ProcessHandle.current().pid()}, pids);
    assertNotEquals(pids[0], pids[1]);
    assertEquals(1, before.get());
  }

  @Ranks(value = 3, processes = true)
  void killedProcess_isLost(ProcessGroup group, Faults faults) {
    PeerLostException lost =
        assertThrows(PeerLostException.class, () -> loopAndKill(group, faults));
    assertEquals(1, lost.peer());
  }

  /** When rank 0 has left the first barrier, the others may still be in it. */
  private static void loopAndKill(ProcessGroup group, Faults faults) {
    group.barrier();
    if (group.rank() == 0) {
      faults.kill(1);
    }
    while (true) {
      group.barrier();
    }
  }

  @Ranks(3)
  void values_areCompared(ProcessGroup group) {
    assertSameBits(group, new float[] {1, 2});
    float[] different = {1, group.rank()};
    AssertionError error =
        assertThrows(AssertionError.class, () -> assertSameBits(group, different));
    assertEquals(
        "element 1 differs: [rank 0 has 0.0, rank 1 has 1.0, rank 2 has 2.0]", error.getMessage());
    assertReference(new double[] {1, 100}, new double[] {1, 101}, 0.02);
    assertThrows(AssertionError.class, () -> assertReference(new int[] {1}, new int[] {2}, 0));
    assertThrows(IllegalArgumentException.class, () -> assertSameBits(group, "text"));
  }

  @Ranks(4)
  void bytesMessagesAndAlgorithm_areCounted(ProcessGroup group) {
    int[] x = new int[1000];
    ProcessGroup ring = group.with(CallOptions.DEFAULTS.algorithm("ring"));
    Runnable call = () -> ring.allreduce(x, ReduceOp.SUM);
    long bytes = assertBytesAtMost(group, 3 * 4000, call);
    assertTrue(bytes > 1000, bytes + " bytes"); // the last of them may still be on their way
    long messages = assertMessagesAtMost(group, 100, call);
    assertTrue(messages >= 12, messages + " messages");
    assertAlgorithm(group, "ring");
    assertThrows(AssertionError.class, () -> assertAlgorithm(group, "flat"));
    group.barrier();
    assertThrows(AssertionError.class, () -> assertBytesAtMost(group, 10, call));
  }

  @Nested
  final class Inner {

    @BeforeEach
    void beforeInnerRank(ProcessGroup group) {
      before.addAndGet(10);
    }

    @AfterEach
    void afterInnerRank(ProcessGroup group) {
      after.addAndGet(10);
    }

    @Ranks(2)
    void lifecycleOfBothClasses_runsPerRank(ProcessGroup group) {
      group.barrier();
      assertEquals(22, before.get());
    }
  }
}
