package io.jgloo.rendezvous.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreConcurrencyContract;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.tcp.RawStoreClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link FileLogStore} keeps the contract, and PyTorch's format. */
final class FileLogStoreTest extends StoreConcurrencyContract {
  @TempDir Path directory;

  @Override
  protected Store open() {
    return new FileLogStore(directory.resolve("log"), -1, LONG);
  }

  private static String hex(Path file) throws Exception {
    return HexFormat.of().formatHex(Files.readAllBytes(file));
  }

  private static String record(String key, String value) {
    return HexFormat.of()
        .formatHex(
            RawStoreClient.bytes(
                String.format(
                    "%02x000000 '%s' %02x000000 '%s'", key.length(), key, value.length(), value)));
  }

  @Test
  void records_arePyTorchs() throws Exception {
    Path file = directory.resolve("bytes");
    try (Store store = new FileLogStore(file, -1, LONG)) {
      store.set("k", bytes("v1"));
      store.set("e", new byte[0]);
      store.add("c", 5);
      store.add("c", -7);
      store.compareSet("cs", new byte[0], bytes("A"));
      store.deleteKey("k");
      store.deleteKey("missing");
      assertEquals(
          record("refcount/", "1")
              + record("/k", "v1")
              + record("/e", "")
              + record("/c", "5")
              + record("/c", "-2")
              + record("/cs", "A")
              + record("-/k", ""),
          hex(file));
    }
    assertTrue(hex(file).endsWith(record("cleanup/", "1") + record("refcount/", "0")));
  }

  @Test
  void lastHandle_removesTheFile() {
    Path file = directory.resolve("counted");
    Store first = new FileLogStore(file, 2, LONG);
    Store second = new FileLogStore(file, 2, LONG);
    first.set("k", bytes("1"));
    first.close();
    assertTrue(Files.exists(file));
    assertValue("1", second.get("k"));
    second.close();
    second.close();
    assertFalse(Files.exists(file));
    try (Store next = new FileLogStore(file, 2, LONG)) {
      assertFalse(next.check(List.of("k")), "a new run begins with nothing");
    }
    assertTrue(Files.exists(file), "one of two workers has not joined yet");
  }

  /** What a process leaves that dies in the middle of a record. */
  @Test
  void truncatedRecord_isRemovedByTheNextWriter() throws Exception {
    Path file = directory.resolve("torn");
    byte[] whole = RawStoreClient.bytes("03000000 '/k2' 02000000 'v2'");
    try (Store store = new FileLogStore(file, -1, LONG)) {
      store.set("k1", bytes("v1"));
      for (int length = 1; length < whole.length; length++) {
        Files.write(file, Arrays.copyOf(whole, length), StandardOpenOption.APPEND);
        assertFalse(store.check(List.of("k2")));
        store.set("after", bytes("" + length));
        try (Store other = new FileLogStore(file, -1, LONG)) {
          assertValue("" + length, other.get("after"));
          assertFalse(other.check(List.of("k2")));
        }
      }
    }
  }

  @Test
  void invalidLog_isReported() throws Exception {
    Path file = directory.resolve("other");
    Files.write(
        file,
        "#!/bin/sh\necho this is no store\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    StoreException e = assertThrows(StoreException.class, () -> new FileLogStore(file, -1, LONG));
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    assertThrows(StoreUnavailableException.class, () -> new FileLogStore(directory, -1, LONG));
    assertThrows(
        StoreException.class, () -> new FileLogStore(directory.resolve("no/such/file"), -1, LONG));
  }

  @Test
  void removedFile_isWaitedForUntilTheTimeout() throws Exception {
    Path file = directory.resolve("vanished");
    try (Store store = new FileLogStore(file, -1, LONG)) {
      store.set("k", bytes("1"));
      Files.delete(file);
      assertThrows(StoreTimeoutException.class, () -> store.get("k", SHORT));
      store.set("k", bytes("2"));
      assertArrayEquals(bytes("2"), store.get("k", Duration.ZERO));
    }
  }
}
