package io.jgloo.bench.diagnose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.diagnose.Dump.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the diagnosis of records says that are known call by call. */
@Timeout(30)
final class DiagnosisTest {

  private static final int FIRST = 40; // earlier calls have been forgotten

  /** Calls by their first letters, the last one running unless there is a dot at the end. */
  private static Dump dump(int rank, String letters) {
    List<Call> calls = new ArrayList<>();
    String made = letters.replace(".", "");
    for (int i = 0; i < made.length(); i++) {
      boolean running = i == made.length() - 1 && !letters.endsWith(".");
      calls.add(call(FIRST + i, made.charAt(i), running ? "running" : "done"));
    }
    return new Dump("", "g", 1, rank, 3, "2026-01-01T00:00:00Z", null, List.copyOf(calls));
  }

  private static Call call(long sequence, char letter, String state) {
    return call(sequence, letter, state, 2e6);
  }

  private static Call call(long sequence, char letter, String state, double us) {
    boolean large = letter == 'A';
    return switch (letter) {
      case 'b' ->
          new Call(sequence, "barrier", "x", null, null, 0L, null, null, null, 0, state, null);
      default ->
          new Call(
              sequence,
              "allreduce",
              large ? "ring" : "flat",
              "int8",
              "sum",
              large ? 9L : 1L,
              null,
              null,
              null,
              1,
              state,
              us);
    };
  }

  private static String diagnosis(String... letters) {
    List<Dump> dumps = new ArrayList<>();
    for (String each : letters) {
      dumps.add(dump(dumps.size(), each));
    }
    return String.join("\n", new DiagnoseCommand.Diagnosis(dumps).lines());
  }

  private static void assertSays(String said, String expected) {
    assertTrue(said.contains(expected), said);
  }

  @Test
  void callsInAnotherOrder_areTold() {
    String said = diagnosis("aab", "aba", "aab");
    assertSays(said, "group g@1, 3 ranks, dumps of ranks [0, 1, 2]");
    assertSays(said, "rank 1 makes calls #41 and #42 in the other order than ranks [0, 2]");
    assertFalse(said.contains("leaves out"), said);
  }

  @Test
  void callThatIsLeftOut_isTold() {
    assertSays(
        diagnosis("abaA", "aaA", "abaA"), "rank 1 leaves out a call of ranks [0, 2], barrier(x)");
  }

  @Test
  void callThatIsTooMany_isTold() {
    assertSays(
        diagnosis("aaA", "aaA", "abaA"),
        "rank 2 makes a call that ranks [0, 1] do not, barrier(x)");
  }

  @Test
  void differentSizeAndAlgorithm_areQuoted() {
    String said = diagnosis("ba", "bA", "ba");
    assertSays(said, "call #41 is the first about which the ranks disagree");
    assertSays(said, "ranks [0, 2]: allreduce(flat) of 1 int8 sum");
    assertSays(said, "rank 1: allreduce(ring) of 9 int8 sum");
    assertSays(said, "too few calls are recorded to tell");
  }

  @Test
  void rankThatIsBehind_isNamed() {
    String said = diagnosis("aba", "ab.", "aba");
    assertSays(said, "rank 1 not yet in call #42, which others wait in");
    assertSays(said, "ranks [0, 2]: call #42 allreduce(flat) of 1 int8 sum, running for 2.000 s");
  }

  @Test
  void ranksAtOnePlace_shareALine() {
    List<Dump> dumps = new ArrayList<>();
    for (int rank = 0; rank < 512; rank++) {
      Call call = call(FIRST, 'a', rank == 7 ? "done" : "running", 1e6 + rank * 1000.0);
      dumps.add(new Dump("", "g", 1, rank, 512, "2026-01-01T00:00:00Z", null, List.of(call)));
    }
    assertEquals(
        List.of(
            "group g@1, 512 ranks, dumps of ranks [0-511]",
            "ranks [0-6, 8-511]: call #40 allreduce(flat) of 1 int8 sum, running"
                + " for 1.000 to 1.511 s",
            "rank 7: call #40 allreduce(flat) of 1 int8 sum, done after 1.007 s"),
        new DiagnoseCommand.Diagnosis(dumps).lines());
  }

  @Test
  void missingDump_isNamed() {
    String said = diagnosis("ab", "ab");
    assertSays(said, "no dump of rank 2: the process has ended, is stopped, or was not asked");
    assertSays(said, "all dumps have call #41; the ranks without a dump hold it up");
  }

  @Test
  void laterDumpOfARank_counts() {
    Dump early = dump(0, "ab");
    Dump late = new Dump("", "g", 1, 0, 3, "2026-01-02T00:00:00Z", null, dump(0, "ab.").calls());
    String said =
        String.join("\n", new DiagnoseCommand.Diagnosis(Stream.of(late, early).toList()).lines());
    assertSays(said, "no rank waits in a collective");
  }
}
