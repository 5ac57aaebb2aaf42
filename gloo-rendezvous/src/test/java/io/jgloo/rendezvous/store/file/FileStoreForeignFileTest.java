package io.jgloo.rendezvous.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.LogRecords;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.tcp.RawStoreClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the stores in files make of FIFOs, links and files that another user, or another program,
 * put where theirs belong: an exception that names the path, at once, and no change.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FileStoreForeignFileTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @TempDir Path temp;

  private static void fifo(Path path) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
    assertEquals(0, process.waitFor());
  }

  private static void assertNames(Path path, Exception e) {
    assertTrue(e.getMessage().contains(path.toString()), e.getMessage());
  }

  private FileStore open(boolean gloo) {
    return gloo ? FileStore.inGlooFormat(temp, LONG) : new FileStore(temp, LONG);
  }

  private Path file(boolean gloo) {
    byte[] key = StoreKeys.encode("k");
    return temp.resolve((gloo ? new CppGlooFileFormat() : new OwnFileFormat()).name(key));
  }

  @Test
  void aFifoAsLockFile_isRefused() throws Exception {
    Path lock = temp.resolve(".lock");
    fifo(lock);
    assertNames(lock, assertThrows(StoreUnavailableException.class, () -> open(false)));
  }

  @Test
  void aLinkAsLockFile_isNotFollowed() throws Exception {
    Path lock = temp.resolve(".lock");
    Path target = temp.resolve("target");
    Files.createSymbolicLink(lock, target);
    assertNames(lock, assertThrows(StoreUnavailableException.class, () -> open(false)));
    assertFalse(Files.exists(target, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aLockFileReplacedWhileOpen_isRefused() throws Exception {
    Path lock = temp.resolve(".lock");
    try (FileStore store = open(false)) {
      Files.delete(lock);
      fifo(lock);
      assertNames(lock, assertThrows(StoreException.class, () -> store.set("k", new byte[1])));
    }
  }

  private void assertRefused(boolean gloo) {
    Path file = file(gloo);
    try (FileStore store = open(gloo)) {
      assertNames(file, assertThrows(StoreException.class, () -> store.get("k")));
      assertNames(file, assertThrows(StoreException.class, () -> store.check(List.of("k"))));
      assertNames(file, assertThrows(StoreException.class, () -> store.add("k", 1)));
      assertNames(file, assertThrows(StoreException.class, () -> store.append("k", new byte[1])));
      store.set("k", new byte[] {7});
      assertTrue(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
      assertArrayEquals(new byte[] {7}, store.get("k"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFifoAsKeyFile_isRefusedAndReplacedBySet(boolean gloo) throws Exception {
    fifo(file(gloo));
    assertRefused(gloo);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLinkToAnEndlessDevice_isRefusedAndReplacedBySet(boolean gloo) throws Exception {
    Files.createSymbolicLink(file(gloo), Path.of("/dev/zero"));
    assertRefused(gloo);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLinkToAnotherFile_isNotFollowed(boolean gloo) throws Exception {
    Path secret = Files.write(temp.resolve(".secret"), new byte[] {1, 2, 3});
    Files.createSymbolicLink(file(gloo), secret);
    assertRefused(gloo);
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(secret));
  }

  @Test
  void aFileThatGrowsWithoutEnd_isReadNoFurtherThanItsBound() throws Exception {
    Path file = temp.resolve("large");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), 3L << 30); // sparse
    }
    assertNames(file, assertThrows(IOException.class, () -> StoreFile.read(file, 1 << 20)));
  }

  @Test
  void aFifoOrLinkAsLogFile_isRefused() throws Exception {
    Path fifo = temp.resolve("fifo");
    fifo(fifo);
    assertNames(fifo, assertThrows(StoreException.class, () -> new FileLogStore(fifo, 1, LONG)));
    Path link = temp.resolve("link");
    Path target = temp.resolve("target");
    Files.createSymbolicLink(link, target);
    assertNames(link, assertThrows(StoreException.class, () -> new FileLogStore(link, 1, LONG)));
    assertFalse(Files.exists(target));
    Path zero = temp.resolve("zero");
    Files.createSymbolicLink(zero, Path.of("/dev/zero"));
    assertNames(zero, assertThrows(StoreException.class, () -> new FileLogStore(zero, 1, LONG)));
  }

  /** Each is shorter than a record, or begins with what could be the lengths of one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "61",
        "616263",
        "050000006162",
        "090000007265666c7a",
        "0000000000000000",
        "010000006101000000620a",
        "2321 2f62",
      })
  void aForeignLogFile_isRefusedAndNotChanged(String hex) throws Exception {
    byte[] content = HexFormat.of().parseHex(hex.replace(" ", ""));
    Path file = Files.write(temp.resolve("foreign"), content);
    assertNames(file, assertThrows(StoreException.class, () -> new FileLogStore(file, 1, LONG)));
    assertArrayEquals(content, Files.readAllBytes(file));
  }

  /** Two GiB, of which little needs to be read to see that it is no log. */
  @Test
  void aHugeForeignLogFile_isRefusedAndNotChanged() throws Exception {
    Path file = temp.resolve("huge");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), (2L << 30) - 100); // sparse
    }
    assertNames(file, assertThrows(StoreException.class, () -> new FileLogStore(file, 1, LONG)));
    assertEquals((2L << 30) - 99, Files.size(file));
  }

  /** The first record of a log, cut short by a full disk. */
  @Test
  void aFirstRecordCutShort_isContinued() throws Exception {
    Path file = temp.resolve("first");
    Files.write(file, RawStoreClient.bytes("09000000 'refcount/' 0100"));
    try (FileLogStore store = new FileLogStore(file, -1, LONG)) {
      store.set("k", new byte[] {1});
      assertArrayEquals(new byte[] {1}, store.get("k"));
    }
  }

  @Test
  void aDirectoryThatAllUsersCanWrite_isNamedInAWarning() throws Exception {
    Assumptions.assumeTrue(Files.getFileStore(temp).supportsFileAttributeView("posix"));
    try (LogRecords records = new LogRecords(FileStore.class)) {
      Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
      open(false).close();
      assertTrue(records.warnings().get(0).contains(temp.toRealPath().toString()));
      Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwx---"));
      open(false).close();
      assertEquals(1, records.warnings().size());
    }
  }
}
