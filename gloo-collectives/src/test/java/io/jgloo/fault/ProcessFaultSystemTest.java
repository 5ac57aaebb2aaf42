package io.jgloo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Four processes work together and one is killed, stopped or exits: the others name it, within
 * bounds, and go on as three, while another group in the same processes does not notice.
 */
@Timeout(200)
class ProcessFaultSystemTest {

  private static final int RANKS = Boolean.getBoolean("jgloo.test.full") ? 4 : 3;
  private static final long LONG_MILLIS = 30_000;

  /** Generous, for a loaded machine; what was measured is printed. */
  private static final double MOST_MILLIS = 5_000;

  @TempDir private Path folder;
  private final List<RankProcess> ranks = new ArrayList<>();

  private void start(String memory, String call, int bytes, int victim, long timeoutMillis)
      throws Exception {
    String store = "file://" + Files.createTempDirectory(folder, "store");
    for (int rank = 0; rank < RANKS; rank++) {
      ranks.add(
          RankProcess.start(
              rank,
              folder,
              FaultRank.class,
              RANKS,
              store,
              timeoutMillis,
              call,
              bytes,
              victim,
              memory));
    }
    for (RankProcess rank : ranks) {
      rank.answer(FaultRank.WORKS);
    }
  }

  @AfterEach
  void end() {
    ranks.forEach(RankProcess::close);
  }

  private List<RankProcess> without(int victim) {
    return ranks.stream().filter(rank -> rank.rank() != victim).toList();
  }

  private List<Failure> failuresWithout(int victim) throws Exception {
    List<Failure> failures = new ArrayList<>();
    for (RankProcess rank : without(victim)) {
      failures.add(Failure.of(rank));
    }
    return failures;
  }

  /** Those who are left meet in a new group, and the bystanders have worked all the time. */
  private void goOnWithout(int victim) throws Exception {
    for (RankProcess rank : without(victim)) {
      assertEquals(RANKS - 1, Integer.parseInt(rank.answer(FaultRank.REUNITED)));
    }
    finishWithout(victim);
  }

  private void finishWithout(int victim) throws Exception {
    for (RankProcess rank : without(victim)) {
      long rounds = Long.parseLong(rank.answer(FaultRank.BYSTANDER));
      assertTrue(rounds > 0, "the bystanders of rank " + rank.rank() + " did nothing");
      assertEquals(0, rank.exitCode());
    }
  }

  /** All of them lost this rank, and soon. */
  private static void assertLost(int victim, long instant, List<Failure> failures) {
    for (Failure failure : failures) {
      assertTrue(failure.kind().matches("Peer(Lost|Departed)Exception"), failure::toString);
      assertEquals("[" + victim + "]", failure.blamed(), failure::toString);
      assertTrue(failure.millisAfter(instant) < MOST_MILLIS, failure::toString);
    }
  }

  @ParameterizedTest
  @CsvSource({"allocated,allreduce,16777216,2", "off,alltoall,65536,0"})
  void aKilledRankIsNamedByAllOthers(String memory, String call, int bytes, int victim)
      throws Exception {
    start(memory, call, bytes, victim, LONG_MILLIS);
    LockSupport.parkNanos(new SplittableRandom().nextLong(50_000_000));
    long killed = ranks.get(victim).kill();
    assertLost(victim, killed, failuresWithout(victim));
    goOnWithout(victim);
    assertNoFiles();
  }

  /** How often is a system property: none in the ordinary run, 200 take some ten minutes. */
  @Test
  @Timeout(3600)
  void ranksThatAreKilledAtRandomInstantsAreNamed() throws Exception {
    String[] memories = {"allocated", "auto"};
    String[] calls = {
      "allreduce",
      "broadcast",
      "barrier",
      "reduce",
      "reduceScatter",
      "gather",
      "scatter",
      "allgather",
      "alltoall"
    };
    int[] sizes = {4, 8192, 1 << 20, 16 << 20};
    for (int i = 0; i < Integer.getInteger("jgloo.fault.kills", 0); i++) {
      killed(memories[i / RANKS % 2], calls[i % calls.length], sizes[i % sizes.length], i % RANKS);
    }
  }

  private void killed(String memory, String call, int bytes, int victim) throws Exception {
    boolean empty = call.equals("barrier");
    ranks.clear();
    aKilledRankIsNamedByAllOthers(empty ? "auto" : memory, call, empty ? 0 : bytes, victim);
    end();
  }

  /** None of this test's processes has left one; those of others may come and go. */
  private void assertNoFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertEquals(List.of(), files.filter(this::isOfRank).toList());
    }
  }

  private boolean isOfRank(Path file) {
    String name = file.getFileName().toString();
    return ranks.stream().anyMatch(rank -> name.matches("jgloo-[0-9]+-" + rank.pid() + "-.*"));
  }

  @Test
  void aRankThatExitsWithItsGroupOpen() throws Exception {
    int victim = 1;
    start("auto", "allreduce", 65536, victim, LONG_MILLIS);
    long killedAt = System.nanoTime();
    ranks.get(victim).write("exit");
    assertEquals(0, ranks.get(victim).exitCode());
    assertLost(victim, killedAt, failuresWithout(victim));
    goOnWithout(victim);
  }

  @Test
  void aRankThatIsStoppedForLessThanTheTimeout() throws Exception {
    int victim = 1;
    start("auto", "allreduce", 65536, victim, LONG_MILLIS);
    ranks.get(victim).signal("STOP");
    LockSupport.parkNanos(1_000_000_000);
    ranks.get(victim).signal("CONT");
    assertTrue(ranks.stream().allMatch(RankProcess::isSilent));
    finishAll(victim);
  }

  /** It has not succeeded when it is woken, whatever it had sent. */
  @Test
  void aRankThatIsStoppedForLonger_isNamedByAllOthers() throws Exception {
    int victim = 2;
    long millis = 3_000;
    start("auto", "allreduce", 65536, victim, millis);
    long stopped = System.nanoTime();
    ranks.get(victim).signal("STOP");
    for (Failure failure : failuresWithout(victim)) {
      assertEquals("OperationTimeoutException", failure.kind(), failure::toString);
      assertEquals("[" + victim + "]", failure.blamed(), failure::toString);
      assertTrue(failure.message().contains("does not answer"), failure::toString);
      assertTrue(failure.millisAfter(stopped) < millis + 3 * MOST_MILLIS, failure::toString);
    }
    goOnWithout(victim);
    ranks.get(victim).signal("CONT");
    Failure.of(ranks.get(victim));
    assertEquals(0, ranks.get(victim).exitCode());
  }

  /** No call fails: all ranks stop when they are told to. */
  private void finishAll(int victim) throws Exception {
    ranks.get(0).write("stop");
    for (RankProcess rank : ranks) {
      assertTrue(Integer.parseInt(rank.answer(FaultRank.STOPPED)) > 2);
    }
    finishWithout(victim);
    assertEquals(0, ranks.get(victim).exitCode());
  }
}
