package io.jgloo.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Signals to other processes. A signal has an effect when one of the process's threads gets a
 * processor and takes it, so the other threads of a process that was sent STOP can work for
 * milliseconds more where processors are busy: STOP is awaited.
 */
public final class Signals {
  private static final long PATIENCE_SECONDS = 30;

  private Signals() {}

  /**
   * Sends a signal; after STOP, waits until no thread of the process runs, where /proc tells.
   *
   * @param name the signal's short name
   */
  public static void send(long pid, String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + pid).inheritIO().start();
    if (!kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new AssertionError("process " + pid + " could not be sent " + name);
    }
    if (name.equals("STOP")) {
      awaitStopped(pid);
    }
  }

  private static void awaitStopped(long pid) throws IOException {
    Path threads = Path.of("/proc/" + pid + "/task");
    long start = System.nanoTime();
    while (Files.isDirectory(threads) && !allStopped(threads)) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
        throw new AssertionError("process " + pid + " was sent STOP and did not stop");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static boolean allStopped(Path threads) throws IOException {
    List<Path> all;
    try (Stream<Path> list = Files.list(threads)) {
      all = list.toList();
    }
    for (Path thread : all) {
      try {
        // The state follows the name, which is in parentheses and may hold any.
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      } catch (NoSuchFileException e) {
        // This thread has ended.
      }
    }
    return true;
  }
}
