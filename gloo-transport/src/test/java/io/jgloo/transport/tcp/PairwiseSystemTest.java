package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed ends its pairs only, and one started anew takes its place. */
@Timeout(120)
class PairwiseSystemTest {

  private static final int SIZE = 3;
  private static final int KILLED = 1;

  @TempDir private Path folder;
  private final List<PairwiseProcess> children = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    children.forEach(PairwiseProcess::close);
  }

  private PairwiseProcess start(int rank) throws IOException {
    PairwiseProcess child =
        PairwiseProcess.start(folder, rank, SIZE, List.of(), List.of(), List.of());
    children.add(child);
    return child;
  }

  @Test
  void killedRank_endsItsPairsAndComesAgain() throws IOException {
    List<PairwiseProcess> ranks = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      ranks.add(start(rank));
    }
    PairwiseProcess.connect(ranks);
    PairwiseProcess.exchange(ranks);

    ranks.get(KILLED).close();
    List<PairwiseProcess> survivors = new ArrayList<>(ranks);
    survivors.remove(KILLED);
    for (PairwiseProcess survivor : survivors) {
      String failure = survivor.ask("failure " + KILLED);
      assertTrue(failure.contains("PeerLostException: peer " + KILLED), failure);
    }
    for (int round = 0; round < 3; round++) {
      PairwiseProcess.exchange(survivors);
    }

    ranks.set(KILLED, start(KILLED));
    PairwiseProcess.connect(ranks);
    for (int round = 0; round < 3; round++) {
      PairwiseProcess.exchange(ranks);
    }
  }
}
