package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last calls of a rank are written as they were made. */
@Timeout(100)
final class RecordedCallsTest {

  @TempDir private Path folder;

  private static List<String> calls(Path file) throws Exception {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("{\"sequence") || line.startsWith("{\"operation"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "auto"})
  void calls_areWrittenInOrderWithTheirStates(String memory) throws Exception {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", memory);
    try (Ranks ranks =
        Ranks.on(Devices.open("tcp", options), 2, java.time.Duration.ofSeconds(30))) {
      ranks.each(
          (group, rank) -> {
            float[] vector = new float[10];
            group.allreduce(vector, ReduceOp.SUM);
            group.broadcast(vector, 1);
            group.barrier();
            if (rank == 0) {
              group.send(Payload.of(vector), 1, 77);
            } else {
              group.recv(Payload.of(vector), 0, 77);
            }
          });
      List<String> lines = calls(ranks.group(1).dumpCalls(folder));
      assertEquals(4, lines.size(), "" + lines);
      assertMatches(
          "\"sequence\":0,\"operation\":\"allreduce\",\"algorithm\":\"\\w+\","
              + "\"type\":\"float32\",\"op\":\"sum\",\"count\":10,\"bytes\":40,\"state\":\"done\"",
          lines.get(0));
      assertMatches(
          "\"sequence\":1,\"operation\":\"broadcast\".*\"root\":1.*\"done\"", lines.get(1));
      assertMatches("\"sequence\":2,\"operation\":\"barrier\".*\"done\"", lines.get(2));
      assertMatches(
          "\\{\"operation\":\"recv\",\"peer\":0,\"tag\":77,\"bytes\":40,.*\"done\"", lines.get(3));
      Work waiting = ranks.group(0).async().barrier();
      List<String> later = calls(ranks.group(0).dumpCalls(folder));
      assertMatches("\"sequence\":3,.*\"running\",\"start\":\"2.*Z\",\"us\":", later.get(4));
      ranks.group(1).barrier();
      waiting.await();
    }
  }

  private static void assertMatches(String pattern, String line) {
    assertTrue(Pattern.compile(pattern).matcher(line).find(), pattern + " is not in " + line);
  }

  @Test
  void oldCalls_areForgotten() throws Exception {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            for (int i = 0; i < 1500; i++) {
              group.barrier();
            }
          });
      Path file = ranks.group(0).dumpCalls(folder);
      List<String> lines = calls(file);
      assertEquals(1024, lines.size());
      assertMatches("\"sequence\":476,", lines.get(0));
      assertMatches("\"sequence\":1499,", lines.get(1023));
      assertTrue(Files.readString(file).contains("\"recorded\":1500"));
      assertTrue(lines.stream().allMatch(line -> line.contains("\"done\"")));
      assertTrue(ranks.group(0).counters().size() > 3);
      assertEquals("test rank 0 of 2", ranks.group(0).toString());
    }
  }

  @Test
  void failedGroup_isWrittenWithoutBeingAsked() throws Exception {
    try (Store store = new HashStore();
        Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))) {
      List<CompletableFuture<Boolean>> ends = new ArrayList<>();
      for (int each = 0; each < 2; each++) {
        int rank = each;
        ends.add(Ranks.inThread(() -> fails(store, device, rank)));
      }
      ends.forEach(end -> assertTrue(Ranks.patiently(end)));
    }
    for (int rank = 0; rank < 2; rank++) {
      String text = Files.readString(folder.resolve("gr_p@3-rank-" + rank + ".json"));
      assertMatches("\"reason\":\"failure\",\"failure\":\".*\\\\\"as told\\\\\"", text);
      assertMatches("\"sequence\":0,.*\"done\"", text.replace("\n", " "));
    }
  }

  private boolean fails(Store store, Device device, int rank) {
    try (ProcessGroup group =
        ProcessGroup.builder()
            .rank(rank)
            .size(2)
            .name("gr/p")
            .epoch(3)
            .store(store)
            .device(device)
            .dumpDirectory(folder)
            .connect()) {
      group.barrier();
      if (rank == 0) {
        group.abort("\"as told\"");
      }
      group.barrier();
      return false;
    } catch (JGlooException e) {
      assertFalse(e.getMessage().isEmpty());
      return true;
    }
  }
}
