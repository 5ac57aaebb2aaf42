package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ShortJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that is killed ends its pairs only, and one started anew takes its place. */
@Timeout(120)
class PairwiseSystemTest {

  private static final int SIZE = 4;
  private static final int KILLED = 2;

  private final List<Child> children = new ArrayList<>();

  /** A process that runs {@link PairwiseMain}. */
  private record Child(int rank, Process process, BufferedReader output, String address) {

    static Child start(int rank) throws IOException {
      List<String> command =
          ShortJvm.command("-Xmx128m", "-cp", System.getProperty("java.class.path"));
      command.addAll(List.of(PairwiseMain.class.getName(), "" + rank, "" + SIZE));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader output = process.inputReader(UTF_8);
      return new Child(rank, process, output, output.readLine());
    }

    void tell(String line) throws IOException {
      process.outputWriter(UTF_8).append(line).append('\n').flush();
    }

    String answer() throws IOException {
      return String.valueOf(output.readLine());
    }
  }

  @AfterEach
  void endProcesses() {
    children.forEach(child -> child.process().destroyForcibly().onExit().join());
  }

  /** Tells all of them the same, and awaits the same answer of all. */
  private static void all(List<Child> ranks, String line, String answer) throws IOException {
    for (Child rank : ranks) {
      rank.tell(line);
    }
    for (Child rank : ranks) {
      assertEquals(answer, rank.answer(), "rank " + rank.rank());
    }
  }

  private static void exchange(List<Child> ranks) throws IOException {
    for (Child rank : ranks) {
      StringBuilder line = new StringBuilder("exchange");
      ranks.stream()
          .filter(peer -> peer.rank() != rank.rank())
          .forEach(p -> line.append(" ").append(p.rank()));
      rank.tell(line.toString());
    }
    for (Child rank : ranks) {
      assertEquals("exchanged", rank.answer(), "rank " + rank.rank());
    }
  }

  @Test
  void killedRank_endsItsPairsAndComesAgain() throws IOException {
    List<Child> ranks = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      ranks.add(Child.start(rank));
      children.add(ranks.get(rank));
    }
    all(ranks, connect(ranks), "connected");
    exchange(ranks);

    ranks.get(KILLED).process().destroyForcibly().onExit().join(); // SIGKILL
    List<Child> survivors = new ArrayList<>(ranks);
    survivors.remove(KILLED);
    for (Child survivor : survivors) {
      survivor.tell("failure " + KILLED);
      String failure = survivor.answer();
      assertTrue(failure.contains("PeerLostException: peer " + KILLED), failure);
    }
    for (int round = 0; round < 3; round++) {
      exchange(survivors);
    }

    Child again = Child.start(KILLED);
    children.add(again);
    ranks.set(KILLED, again);
    all(ranks, connect(ranks), "connected");
    for (int round = 0; round < 3; round++) {
      exchange(ranks);
    }
  }

  private static String connect(List<Child> ranks) {
    StringBuilder line = new StringBuilder("connect");
    ranks.forEach(rank -> line.append(' ').append(rank.address()));
    return line.toString();
  }
}
