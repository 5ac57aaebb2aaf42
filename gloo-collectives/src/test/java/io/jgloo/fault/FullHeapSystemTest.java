package io.jgloo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process whose heap is full fails its group with the cause, and joins the next one. */
@Timeout(200)
class FullHeapSystemTest {

  @TempDir private Path folder;
  private final List<RankProcess> ranks = new ArrayList<>();

  @AfterEach
  void end() {
    ranks.forEach(RankProcess::close);
  }

  static Stream<String> memories() {
    return Boolean.getBoolean("jgloo.test.full") ? Stream.of("off", "auto") : Stream.of("off");
  }

  @ParameterizedTest
  @MethodSource("memories")
  void callWithoutHeap_failsTheGroupAndTheDeviceGoesOn(String memory) throws Exception {
    String store = "file://" + Files.createDirectory(folder.resolve("store"));
    for (int rank = 0; rank < 2; rank++) {
      ranks.add(
          RankProcess.start(List.of("-Xmx48m"), rank, folder, FullHeapRank.class, store, memory));
    }
    String victim = ranks.get(1).answer(FullHeapRank.FAILED);
    String other = ranks.get(0).answer(FullHeapRank.FAILED);
    System.out.println("without heap: " + victim + "; at the other rank: " + other);
    assertTrue(victim.contains("OutOfMemoryError"), victim);
    assertTrue(other.matches("io.jgloo.transport.(Aborted|PeerDeparted|PeerLost)Exc.*"), other);
    for (RankProcess rank : ranks) {
      assertEquals("2", rank.answer(FullHeapRank.REUNITED));
      assertEquals(0, rank.exitCode());
    }
  }
}
