package io.jgloo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rank of a group of processes is stopped, or makes no call, for longer than the timeout: each of
 * the others names it and no other rank, and they go on without it.
 */
@Timeout(200)
class LateRankSystemTest {

  private static final long TIMEOUT_MILLIS = 5_000;

  /** Generous, for a loaded machine; what was measured is printed. */
  private static final double MOST_MILLIS = 15_000;

  @TempDir private Path folder;
  private final List<RankProcess> ranks = new ArrayList<>();
  private final List<RankProcess> survivors = new ArrayList<>();

  private void start(String memory, int size, String call, int bytes, int victim) throws Exception {
    start(List.of(), memory, size, call, bytes, victim);
  }

  /**
   * @param options of the victim's JVM
   */
  private void start(
      List<String> options, String memory, int size, String call, int bytes, int victim)
      throws Exception {
    String store = "file://" + Files.createDirectory(folder.resolve("store"));
    for (int rank = 0; rank < size; rank++) {
      ranks.add(
          RankProcess.start(
              rank == victim ? options : List.of(),
              rank,
              folder,
              FaultRank.class,
              size,
              store,
              TIMEOUT_MILLIS,
              call,
              bytes,
              victim,
              memory));
    }
    for (RankProcess rank : ranks) {
      rank.answer(FaultRank.WORKS);
    }
    survivors.addAll(ranks);
    survivors.remove(victim);
  }

  @AfterEach
  void end() {
    ranks.forEach(RankProcess::close);
  }

  @ParameterizedTest
  @CsvSource({
    "off,5,allreduce,16777216,1",
    "auto,9,allreduce,262144,2",
    "off,9,barrier,0,4",
    "auto,5,allreduce,16777216,3",
    "auto,4,allreduce,16777216,3",
    "auto,4,allreduce,4,2",
  })
  @Tag("full")
  void stoppedRankIsNamedByAllOthers_inMoreGroups(
      String memory, int size, String call, int bytes, int victim) throws Exception {
    stoppedRankIsNamedByAllOthers(memory, size, call, bytes, victim);
  }

  @ParameterizedTest
  @CsvSource("auto,3,allreduce,65536,2")
  void stoppedRankIsNamedByAllOthers(String memory, int size, String call, int bytes, int victim)
      throws Exception {
    start(memory, size, call, bytes, victim);
    ranks.get(victim).signal("STOP");
    assertNamed(victim, "does not answer", System.nanoTime());
    ranks.get(victim).signal("CONT");
    assertFailed(victim);
  }

  @ParameterizedTest
  @CsvSource("off,4,allreduce,65536,1")
  @Tag("full")
  void rankWhoseCollectorPausesIsNamedByAllOthers(
      String memory, int size, String call, int bytes, int victim) throws Exception {
    start(LongCollection.OPTIONS, memory, size, call, bytes, victim);
    Path pause = folder.resolve("pause");
    LongCollection.begin(ranks.get(victim), pause);
    assertNamed(victim, "does not answer", System.nanoTime());
    LongCollection.end(pause);
    System.out.println("collected for " + ranks.get(victim).answer(FaultRank.COLLECTED) + " ms");
    assertFailed(victim);
  }

  /** The rank that was stopped has not succeeded, whatever it had sent. */
  private void assertFailed(int victim) throws Exception {
    Failure woken = Failure.of(ranks.get(victim));
    System.out.println("the stopped rank, woken: " + woken.kind() + woken.message());
    assertEquals(0, ranks.get(victim).exitCode());
  }

  @ParameterizedTest
  @CsvSource({"auto,5,allreduce,1048576,1", "off,5,allreduce,4,2", "off,9,allreduce,4,5"})
  @Tag("full")
  void lateRankIsNamedByAllOthers_inMoreGroups(
      String memory, int size, String call, int bytes, int victim) throws Exception {
    lateRankIsNamedByAllOthers(memory, size, call, bytes, victim);
  }

  @ParameterizedTest
  @CsvSource("off,3,allreduce,4,1")
  void lateRankIsNamedByAllOthers(String memory, int size, String call, int bytes, int victim)
      throws Exception {
    start(memory, size, call, bytes, victim);
    ranks.get(victim).write("pause");
    ranks.get(victim).answer(FaultRank.PAUSED);
    assertNamed(victim, "is late", System.nanoTime());
    ranks.get(victim).write("resume");
    assertEquals("[]", Failure.of(ranks.get(victim)).blamed());
    assertEquals(0, ranks.get(victim).exitCode());
  }

  /** Each survivor names this rank and says why; then all meet in a new group. */
  private void assertNamed(int victim, String why, long instant) throws Exception {
    List<Failure> failures = new ArrayList<>();
    for (RankProcess rank : survivors) {
      failures.add(Failure.of(rank));
    }
    for (Failure failure : failures) {
      System.out.printf(
          Locale.ROOT,
          "rank %d after %.1f ms: %s %s%s%n",
          failure.rank(),
          failure.millisAfter(instant),
          failure.kind(),
          failure.blamed(),
          failure.message());
    }
    for (Failure failure : failures) {
      assertEquals("OperationTimeoutException", failure.kind(), failure::toString);
      assertEquals("[" + victim + "]", failure.blamed(), failure::toString);
      assertTrue(failure.message().contains(why), failure::toString);
      assertTrue(failure.millisAfter(instant) < TIMEOUT_MILLIS + MOST_MILLIS, failure::toString);
    }
    for (RankProcess rank : survivors) {
      rank.answer(FaultRank.REUNITED);
      rank.answer(FaultRank.BYSTANDER);
      assertEquals(0, rank.exitCode());
    }
  }
}
