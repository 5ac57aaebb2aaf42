package io.jgloo.transport.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Cores are left for others, and what a thread is allowed stays as it was. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class PlacementTest {

  private static final int ATTEMPTS = 100;

  @Test
  void leavingACoreEndsOnAnother() throws IOException {
    assertTrue(SystemCalls.isAvailable());
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one core");
    String allowed = allowed();
    int moved = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      int before = SystemCalls.core();
      assertTrue(SystemCalls.leaveCore() == 1);
      moved += SystemCalls.core() == before ? 0 : 1; // it may have been moved back already
      assertEquals(allowed, allowed());
    }
    assertNotEquals(0, moved, "the thread never was on another core");
  }

  private static String allowed() throws IOException {
    return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed:"))
        .findFirst()
        .orElseThrow();
  }
}
