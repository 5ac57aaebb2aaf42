package io.jgloo.rendezvous.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FileReplacementTest {
  @TempDir Path directory;

  @Test
  void replacement_createsOrReplacesAFile() throws Exception {
    Path to = directory.resolve("to");
    for (String text : new String[] {"first", "second, and longer", "3"}) {
      Path from = Files.writeString(directory.resolve(".tmp"), text);
      FileStore.replace(from, to);
      assertEquals(text, Files.readString(to));
      assertFalse(Files.exists(from));
    }
  }

  @Test
  void directoryInThePlace_stays() throws Exception {
    Path to = Files.createDirectory(directory.resolve("to"));
    Path from = Files.writeString(directory.resolve(".tmp"), "text");
    assertThrows(IOException.class, () -> FileStore.replace(from, to));
    assertTrue(Files.isDirectory(to));
  }
}
