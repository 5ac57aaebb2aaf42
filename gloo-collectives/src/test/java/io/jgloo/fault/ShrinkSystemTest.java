package io.jgloo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes go on when others, rank 0 among them, get SIGKILL. */
@Timeout(200)
final class ShrinkSystemTest {

  private static final int SIZE = 4;

  @TempDir private Path folder;

  private final List<RankProcess> ranks = new ArrayList<>();

  @AfterEach
  void endAll() {
    ranks.forEach(RankProcess::close);
  }

  private void start(int left) throws Exception {
    for (int rank = 0; rank < SIZE; rank++) {
      String store = "file://" + folder.resolve("store");
      ranks.add(RankProcess.start(rank, folder, ShrinkRank.class, SIZE, store, left));
    }
    for (RankProcess rank : ranks) {
      rank.answer(ShrinkRank.WORKS);
    }
  }

  private void assertGoOn(String members, int... survivors) throws Exception {
    for (int i = 0; i < survivors.length; i++) {
      RankProcess rank = ranks.get(survivors[i]);
      String said = ShrinkRank.SHRINKS;
      while (said.startsWith(ShrinkRank.SHRINKS)) {
        said = rank.answer("");
      }
      assertEquals(ShrinkRank.DONE + " " + members + " rank " + i, said);
      assertEquals(0, rank.exitCode());
    }
  }

  @Test
  void rankKilledDuringTheAgreement_isLeftOut() throws Exception {
    start(2);
    ranks.get(3).kill();
    ranks.get(1).answer(ShrinkRank.SHRINKS);
    ranks.get(0).kill();
    assertGoOn("[1, 2]", 1, 2);
  }
}
