package io.jgloo.transport.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.Clock;
import io.jgloo.transport.library.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  @Test
  void offerOfAnIdleCoreReturnsSoon() {
    Placement spreading = Placement.spreading(Clock.SYSTEM, () -> 1);
    Placement kernels = Placement.kernels(Clock.SYSTEM);
    long start = System.nanoTime();
    for (int i = 0; i < 1000; i++) {
      spreading.offer();
      kernels.offer();
    }
    assertFalse(System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30), "hangs");
  }

  @Test
  void asksHowManyRanksThereAreOnlyInACrowd() throws InterruptedException {
    int[] asked = {0};
    Placement placement =
        Placement.spreading(
            Clock.SYSTEM,
            () -> {
              asked[0]++;
              return Integer.MAX_VALUE; // more than there are cores: it stays
            });
    AtomicBoolean over = new AtomicBoolean();
    Thread[] crowd = new Thread[2 * Runtime.getRuntime().availableProcessors()];
    for (int i = 0; i < crowd.length; i++) {
      crowd[i] = new Thread(() -> spin(over));
      crowd[i].setDaemon(true);
      crowd[i].start();
    }
    long start = System.nanoTime();
    while (asked[0] == 0 && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30)) {
      placement.offer(); // a busy machine gives it few turns
    }
    long asking = System.nanoTime();
    while (System.nanoTime() - asking < TimeUnit.MILLISECONDS.toNanos(300)) {
      placement.offer();
    }
    over.set(true);
    for (Thread thread : crowd) {
      thread.join();
    }
    assertEquals(1, asked[0]);
  }

  @SuppressWarnings("ThreadPriorityCheck") // a neighbour like ours
  private static void spin(AtomicBoolean over) {
    while (!over.get()) {
      long quarter = System.nanoTime() + 5_000;
      while (System.nanoTime() - quarter < 0) {
        Thread.onSpinWait();
      }
      Thread.yield();
    }
  }

  private static String allowed() throws IOException {
    return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed:"))
        .findFirst()
        .orElseThrow();
  }
}
