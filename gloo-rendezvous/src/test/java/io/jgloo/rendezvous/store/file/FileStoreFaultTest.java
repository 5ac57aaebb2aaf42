package io.jgloo.rendezvous.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a file store makes of files and directories that are not as it left them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FileStoreFaultTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir Path temp;

  private static Set<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void keysOfTheLastRun_areFoundByTheNext() throws IOException {
    Path directory = temp.resolve("a/b");
    for (int run = 1; run <= 3; run++) {
      try (FileStore store = new FileStore(directory, LONG)) {
        assertEquals(run, store.add("runs", 1));
        store.set("Key/1", new byte[] {(byte) run});
      }
    }
    assertEquals(Set.of(".lock", "runs", "%4bey%2f1"), files(directory));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("runs"))));
  }

  /** Every way to cut a record short, and every bit of one wrong. */
  @Test
  void damagedRecord_isNeverAValue() throws IOException {
    try (FileStore store = new FileStore(temp, LONG)) {
      byte[] value = "precious".getBytes(UTF_8);
      store.set("k", value);
      Path file = temp.resolve("k");
      byte[] whole = Files.readAllBytes(file);
      for (int length = 0; length < whole.length; length++) {
        Files.write(file, java.util.Arrays.copyOf(whole, length));
        assertFalse(store.check(List.of("k")), "cut at " + length);
        StoreException e = assertThrows(StoreException.class, () -> store.get("k", Duration.ZERO));
        assertEquals(StoreException.class, e.getClass());
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
        assertThrows(StoreException.class, () -> store.add("k", 1));
        assertThrows(StoreException.class, () -> store.compareSet("k", value, value));
        assertThrows(StoreException.class, () -> store.append("k", value));
      }
      for (int bit = 0; bit < 8 * whole.length; bit++) {
        byte[] damaged = whole.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(file, damaged);
        assertThrows(StoreException.class, () -> store.get("k", Duration.ZERO), "bit " + bit);
      }
      Files.write(file, new byte[20 << 20]);
      assertThrows(StoreException.class, () -> store.get("k", Duration.ZERO));
      store.set("k", value);
      assertArrayEquals(value, store.get("k"));
    }
  }

  /** As on a network file system: the name first, then some bytes, then all. */
  @Test
  void recordWrittenInPieces_isWaitedFor() throws Exception {
    try (FileStore store = new FileStore(temp, LONG)) {
      store.set("k", "value".getBytes(UTF_8));
      Path file = temp.resolve("k");
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, new byte[0]);
      CompletableFuture<byte[]> waiter = CompletableFuture.supplyAsync(() -> store.get("k"));
      Files.write(file, java.util.Arrays.copyOf(whole, 18));
      assertThrows(StoreException.class, () -> store.get("k", SHORT));
      assertFalse(waiter.isDone());
      Files.write(file, whole);
      assertArrayEquals("value".getBytes(UTF_8), waiter.get());
    }
  }

  @Test
  void temporaryFileOfADeadWriter_isRemoved() throws IOException {
    Files.write(temp.resolve(".tmp"), new byte[10]);
    try (FileStore store = new FileStore(temp, LONG)) {
      assertFalse(files(temp).contains(".tmp"));
      Files.write(temp.resolve(".tmp"), new byte[10]);
      store.set("k", new byte[1]);
    }
    assertEquals(Set.of(".lock", "k"), files(temp));
  }

  @Test
  void unusableDirectory_isNamedInTheError() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    for (Path path : List.of(file, file.resolve("below"), Path.of("/proc/jgloo"))) {
      StoreUnavailableException e =
          assertThrows(StoreUnavailableException.class, () -> new FileStore(path, SHORT));
      assertTrue(e.getMessage().contains(path.toString()), e.getMessage());
    }
  }

  @Test
  void removedDirectory_isAnErrorAtOnce() throws Exception {
    Path directory = temp.resolve("gone");
    try (FileStore store = new FileStore(directory, LONG)) {
      CompletableFuture<byte[]> waiter = CompletableFuture.supplyAsync(() -> store.get("k"));
      Files.delete(directory.resolve(".lock"));
      Files.delete(directory);
      Exception e = assertThrows(Exception.class, waiter::get);
      assertEquals(StoreUnavailableException.class, e.getCause().getClass());
      assertThrows(StoreUnavailableException.class, () -> store.set("k", new byte[1]));
      assertThrows(StoreUnavailableException.class, () -> store.check(List.of("k")));
    }
  }

  @Test
  void failedWrite_leavesTheOldValueAndNoFile() throws IOException {
    try (FileStore store = new FileStore(temp, LONG)) {
      store.set("k", new byte[] {1});
      Files.createDirectory(temp.resolve("d"));
      assertThrows(StoreException.class, () -> store.set("d", new byte[1]));
      assertEquals(Set.of(".lock", "d", "k"), files(temp));
      assertArrayEquals(new byte[] {1}, store.get("k"));
    }
  }
}
