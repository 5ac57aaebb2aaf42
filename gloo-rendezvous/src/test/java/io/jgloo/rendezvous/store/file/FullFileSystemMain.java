package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Fills the file system of a file store, and prints {@code done} if it behaves. */
final class FullFileSystemMain {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int VALUE_BYTES = 4000;
  private static final int MOST_KEYS = 1000;

  private FullFileSystemMain() {}

  /** Argument: a directory on a small file system. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    try (FileStore store = new FileStore(folder, PATIENCE)) {
      int keys = 0;
      StoreException failure = null;
      while (failure == null && keys < MOST_KEYS) {
        try {
          store.set("k" + keys, value(keys));
          keys++;
        } catch (StoreException e) {
          failure = e;
        }
      }
      System.out.println(keys + " keys, then " + failure);
      require(failure != null && keys > 1, "no write failed");
      require(!store.check(List.of("k" + keys)), "a key that was not written exists");
      require(!temporaryFileIn(folder), "a temporary file is left");
      for (int key = 0; key < keys; key++) {
        byte[] value = store.get("k" + key);
        require(value.length == VALUE_BYTES && value[0] == key, "key " + key + " is damaged");
      }
      require(store.deleteKey("k0") && store.deleteKey("k1"), "a key cannot be deleted");
      store.set("k" + keys, value(keys));
      System.out.println("done");
    }
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    value[0] = (byte) key;
    return value;
  }

  private static boolean temporaryFileIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(".tmp"));
    }
  }

  private static void require(boolean good, String message) {
    if (!good) {
      throw new AssertionError(message);
    }
  }
}
