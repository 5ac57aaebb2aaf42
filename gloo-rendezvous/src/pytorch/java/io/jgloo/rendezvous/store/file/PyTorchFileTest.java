package io.jgloo.rendezvous.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.tcp.GenuineStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PyTorch's FileStore and ours share one file. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PyTorchFileTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @TempDir Path directory;

  @Test
  void writesOfOneSide_areSeenByTheOther() {
    Path file = directory.resolve("shared");
    GenuineStore theirs = GenuineStore.file(file.toString(), 2);
    try (FileLogStore ours = new FileLogStore(file, 2, LONG)) {
      theirs.set("k", "v1");
      assertEquals("v1", new String(ours.get("k"), UTF_8));
      ours.set("k", "v2".getBytes(UTF_8));
      assertEquals("v2", theirs.get("k"));
      assertEquals(5, theirs.add("c", 5));
      assertEquals(-2, ours.add("c", -7));
      assertEquals("-2", theirs.get("c"));
      assertEquals("A", theirs.compareSet("cs", "", "A"));
      assertEquals("A", new String(ours.compareSet("cs", new byte[0], new byte[1]), UTF_8));
      ours.set("\u00fc/-e", new byte[0]);
      assertEquals("", theirs.get("\u00fc/-e"));
      assertTrue(theirs.deleteKey("k"));
      assertFalse(ours.check(List.of("k")));
      assertTrue(ours.deleteKey("c"));
      assertFalse(theirs.check("c"));
      try (GenuineStore prefixed = theirs.prefixed("p")) {
        prefixed.set("x", "1");
        assertEquals("1", new String(new PrefixStore("p", ours).get("x"), UTF_8));
      }
    }
    assertTrue(Files.exists(file));
    theirs.close();
    assertFalse(Files.exists(file), "the last of two handles removes the file, whosever it is");
  }

  @Test
  void writesOfOneSide_wakeTheOther() throws Exception {
    Path file = directory.resolve("waited");
    ExecutorService threads = Executors.newCachedThreadPool();
    try (GenuineStore theirs = GenuineStore.file(file.toString(), -1);
        FileLogStore ours = new FileLogStore(file, -1, LONG)) {
      Future<byte[]> waiting = threads.submit(() -> ours.get("a"));
      theirs.set("a", "1");
      assertEquals("1", new String(waiting.get(), UTF_8));
      Future<String> theyWait = threads.submit(() -> theirs.get("b"));
      ours.set("b", "2".getBytes(UTF_8));
      assertEquals("2", theyWait.get());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Without a lock that both respect, additions are lost or records torn. */
  @Test
  void writersOfBothSides_excludeEachOther() throws Exception {
    Path file = directory.resolve("contended");
    ExecutorService threads = Executors.newCachedThreadPool();
    try (GenuineStore first = GenuineStore.file(file.toString(), -1);
        GenuineStore second = GenuineStore.file(file.toString(), -1);
        FileLogStore third = new FileLogStore(file, -1, LONG);
        FileLogStore fourth = new FileLogStore(file, -1, LONG)) {
      assertTrue(LogFileLock.isShareable());
      List<Future<Void>> adders = new ArrayList<>();
      for (GenuineStore theirs : List.of(first, second)) {
        adders.add(threads.submit(() -> repeat(() -> theirs.add("sum", 1))));
      }
      for (FileLogStore ours : List.of(third, fourth)) {
        adders.add(threads.submit(() -> repeat(() -> ours.add("sum", 1))));
      }
      for (Future<Void> adder : adders) {
        adder.get();
      }
      assertEquals(4 * 150, third.add("sum", 0));
      assertEquals(4 * 150, first.add("sum", 0));
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void repeat(Runnable body) {
    for (int i = 0; i < 150; i++) {
      body.run();
    }
    return null;
  }
}
