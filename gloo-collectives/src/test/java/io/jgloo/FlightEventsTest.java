package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flight Recorder has the calls, waits and failures of a group, and how it was connected. */
@Timeout(200)
final class FlightEventsTest {

  private static final List<String> EVENTS =
      List.of("Collective", "Wait", "Connect", "Rendezvous", "Failure");

  @TempDir private Path folder;

  private static Recording recording() {
    Recording recording = new Recording();
    EVENTS.forEach(name -> recording.enable("io.jgloo." + name).withThreshold(Duration.ZERO));
    return recording;
  }

  private List<RecordedEvent> stop(Recording recording, String group) throws Exception {
    recording.stop();
    Path file = folder.resolve("events.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("io.jgloo."))
        .filter(event -> event.hasField("group") && event.getString("group").equals(group))
        .toList();
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name, int rank) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.jgloo." + name))
        .filter(event -> event.getInt("rank") == rank)
        .toList();
  }

  private static void inRanks(String group, String memory, Program program) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", memory);
    try (Store store = new HashStore()) {
      List<CompletableFuture<Boolean>> ends = new ArrayList<>();
      for (int each = 0; each < 2; each++) {
        int rank = each;
        GroupBuilder builder = ProcessGroup.builder().name(group).rank(rank).size(2).store(store);
        ends.add(
            Ranks.inThread(
                () -> {
                  try (ProcessGroup joined = builder.device("tcp", options).connect()) {
                    program.run(joined, rank);
                    return true;
                  }
                }));
      }
      ends.forEach(end -> assertTrue(Ranks.patiently(end)));
    }
  }

  /** What a rank does in its group. */
  private interface Program {
    void run(ProcessGroup group, int rank);
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "auto"})
  void recording_hasWhatTheRanksDid(String memory) throws Exception {
    String group = "recorded " + memory;
    try (Recording recording = recording()) {
      recording.start();
      inRanks(
          group,
          memory,
          (ranks, rank) -> {
            float[] vector = new float[10];
            for (int i = 0; i < 5; i++) {
              ranks.allreduce(vector, ReduceOp.SUM);
            }
            ranks.async().broadcast(Payload.of(new double[100_000]), 1).await();
            if (rank == 0) {
              ranks.send(Payload.of(vector), 1, 77);
            } else {
              ranks.recv(Payload.of(vector), 0, 77);
            }
            ranks.barrier();
            if (rank == 0) {
              ranks.abort("as planned");
            }
            assertThrows(JGlooException.class, () -> ranks.allgather(Payload.of(new int[2])));
          });
      List<RecordedEvent> events = stop(recording, group);
      for (int rank = 0; rank < 2; rank++) {
        assertRecorded(events, rank);
      }
    }
  }

  private static void assertRecorded(List<RecordedEvent> events, int rank) {
    List<RecordedEvent> calls =
        of(events, "Collective", rank).stream()
            .sorted(Comparator.comparingLong(event -> event.getLong("sequence")))
            .toList();
    for (int i = 0; i < 7; i++) {
      RecordedEvent call = calls.get(i);
      assertEquals(i, call.getLong("sequence"), "" + call);
      String operation = i < 5 ? "allreduce" : i == 5 ? "broadcast" : "barrier";
      assertEquals(operation, call.getString("operation"));
      assertEquals(i < 5 ? 40 : i == 5 ? 800_000 : 0, call.getLong("bytes"));
      assertFalse(call.getString("algorithm").isEmpty());
      assertFalse(call.getBoolean("failed"), "" + call);
    }
    // The call that finds the group failed is no call at rank 0, and may be one at rank 1.
    assertTrue(calls.stream().skip(7).allMatch(call -> call.getBoolean("failed")), "" + calls);
    List<RecordedEvent> waits = of(events, "Wait", rank);
    assertTrue(waits.stream().anyMatch(wait -> wait.getLong("sequence") == 5), "" + waits);
    String message = rank == 0 ? "send" : "recv";
    assertTrue(
        waits.stream()
            .anyMatch(
                wait ->
                    wait.getString("operation").equals(message) && wait.getLong("sequence") == -1),
        "" + waits);
    RecordedEvent rendezvous = of(events, "Rendezvous", rank).get(0);
    RecordedEvent connect = of(events, "Connect", rank).get(0);
    assertEquals(2, rendezvous.getInt("size"));
    assertEquals(null, rendezvous.getString("failure"));
    assertFalse(connect.getStartTime().isBefore(rendezvous.getStartTime()));
    assertFalse(connect.getEndTime().isAfter(rendezvous.getEndTime()));
    List<RecordedEvent> failures = of(events, "Failure", rank);
    assertEquals(1, failures.size(), "" + failures);
    assertTrue(failures.get(0).getString("message").contains("as planned"), "" + failures);
    assertEquals("AbortedException", failures.get(0).getString("kind"));
  }
}
