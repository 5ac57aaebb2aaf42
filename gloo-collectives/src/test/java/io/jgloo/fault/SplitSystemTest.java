package io.jgloo.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank that ends while a part of its group connects ends the call at the other ranks. */
@Timeout(200)
final class SplitSystemTest {

  private static final int SIZE = 3;

  /** Less than the timeout for connecting, which is 60 s here. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private final List<RankProcess> ranks = new ArrayList<>();

  @AfterEach
  void endAll() {
    ranks.forEach(RankProcess::close);
  }

  @Test
  void rankThatEndsWhileThePartConnects_isNamedByTheOthers() throws Exception {
    for (int rank = 0; rank < SIZE; rank++) {
      String store = "file://" + folder.resolve("store");
      ranks.add(RankProcess.start(rank, folder, SplitRank.class, SIZE, store));
    }
    for (int rank = 0; rank < SIZE - 1; rank++) {
      String said = ranks.get(rank).answer(SplitRank.ENDED);
      assertTrue(said.contains("peer 2"), said);
      assertTrue(said.substring(said.indexOf("; group:")).contains("peer 2"), said);
      assertTrue(Long.parseLong(said.substring(0, said.indexOf(' '))) < PATIENCE.toMillis(), said);
    }
  }
}
