package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.codec.Codecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What helps to find handles that are not closed. */
@Timeout(60)
final class RRefLeakTest {

  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);

  private static Group group(RpcOptions.Builder options) throws Exception {
    return new Group(
        2,
        rank -> new RpcRegistry().register(TWICE, (context, value) -> 2 * value),
        options,
        channel -> channel);
  }

  private static RRef<Long> makeHere(Group two) {
    return two.refs(0).remote(two.id(1), TWICE, 1L);
  }

  private static void makeAndDrop(Group two, int handles) throws Exception {
    for (int i = 0; i < handles; i++) {
      makeHere(two).confirmed().get();
    }
  }

  @Test
  void creationStacks_showWhereAnOpenHandleWasMade() throws Exception {
    try (Group two = group(Group.options().creationStacks(true))) {
      RRef<Long> open = makeHere(two);
      RRef<Long> own = two.refs(0).of(3L, Codecs.LONG);
      RRef<Long> closed = makeHere(two);
      closed.close();
      assertEquals("", two.refs(0).origins.of(closed.handle.id()), "nothing is kept");
      assertEquals(2, open.toHere());
      String dump = two.refs(0).dump();
      assertEquals(2, dump.split("RRefLeakTest.creationStacks", -1).length - 1, dump);
      assertTrue(dump.contains("at io.jgloo.rpc.RRefLeakTest.makeHere"), dump);
      two.shutdown(Duration.ofSeconds(20));
      List<String> leaks = two.refs(0).leaks();
      assertEquals(2, leaks.size(), leaks::toString);
      assertTrue(leaks.get(0).contains("RRefLeakTest.makeHere"), leaks::toString);
      assertTrue(leaks.get(1).contains("RRefLeakTest.creationStacks"), leaks::toString);
      open.close();
      own.close();
    }
  }

  @Test
  void collectedHandle_isCountedAndRecorded_andReportedWithItsStack(@TempDir Path folder)
      throws Exception {
    for (boolean stacks : new boolean[] {false, true}) {
      Path file = folder.resolve(stacks + ".jfr");
      try (Recording recording = new Recording();
          Group two = group(Group.options().creationStacks(stacks))) {
        recording.enable("io.jgloo.rpc.RRefCollected");
        recording.start();
        makeAndDrop(two, 1);
        Group.await(
            "the collector finds the handle",
            () -> {
              System.gc();
              return two.count(0, "collected") == 1;
            });
        two.awaitQuiet();
        recording.stop();
        recording.dump(file);
        List<String> leaks = two.refs(0).leaks();
        assertEquals(stacks ? 1 : 0, leaks.size(), leaks::toString);
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        events.removeIf(
            event -> !event.getEventType().getName().equals("io.jgloo.rpc.RRefCollected"));
        assertEquals(1, events.size(), events::toString);
        assertEquals(stacks, events.get(0).getString("origin").contains("RRefLeakTest.makeHere"));
        assertFalse(stacks && !leaks.get(0).contains("was collected, not closed"), leaks::toString);
      }
    }
  }

  @Test
  void manyOpenHandles_makeTheJvmCollect(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("gc.jfr");
    try (Recording recording = new Recording();
        Group two = group(Group.options().gcHintHandles(100))) {
      recording.enable("jdk.GarbageCollection").withoutThreshold();
      recording.start();
      makeAndDrop(two, 99);
      assertEquals(0, two.count(0, "gcHints"));
      while (two.count(0, "gcHints") == 0) { // the collector may run unasked
        makeAndDrop(two, 50);
      }
      Group.await("the dropped handles are closed", () -> two.count(0, "users") < 100);
      recording.stop();
      recording.dump(file);
    }
    assertTrue(
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.GarbageCollection"))
            .anyMatch(event -> event.getString("cause").equals("System.gc()")));
  }

  @Test
  void handlesInUse_causeFewCollections() {
    GcHint hint = new GcHint(100);
    List<Integer> hints = new ArrayList<>();
    for (int open = 1; open <= 1000; open++) {
      if (hint.isDue(open)) {
        hints.add(open);
      }
    }
    assertEquals(List.of(100, 200, 400, 800), hints);
    assertFalse(hint.isDue(50), "they were collected");
    assertFalse(hint.isDue(99));
    assertTrue(hint.isDue(100));
    assertFalse(new GcHint(0).isDue(1_000_000), "no hints by default");
  }
}
