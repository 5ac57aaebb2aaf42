package io.jgloo.transport;

import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** What was open before a test, to be compared with what is open after it. */
public final class Leaks {

  /** Threads and sockets may take a moment to go. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final OpenDescriptors descriptors = OpenDescriptors.now();
  private final Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
  private final long memory = Memory.allocatedBytes();

  private Leaks() {}

  public static Leaks before() {
    return new Leaks();
  }

  /**
   * @throws AssertionError if something is still open after a grace period
   */
  public void check() {
    check(GRACE);
  }

  void check(Duration grace) {
    long start = System.nanoTime();
    String found = found();
    while (!found.isEmpty() && System.nanoTime() - start < grace.toNanos()) {
      LockSupport.parkNanos(1_000_000);
      found = found();
    }
    if (!found.isEmpty()) {
      throw new AssertionError("leaked: " + found);
    }
  }

  private String found() {
    StringBuilder found = new StringBuilder();
    long bytes = Memory.allocatedBytes() - memory;
    if (bytes != 0) {
      found.append(bytes).append(" bytes of memory; ");
    }
    for (String descriptor : OpenDescriptors.now().since(descriptors)) {
      found.append(descriptor).append("; ");
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!threads.contains(thread) && thread.isAlive() && !isOfTheJvm(thread)) {
        found.append("thread ").append(thread.getName()).append("; ");
      }
    }
    return found.toString();
  }

  /**
   * JNA starts its cleaner with the first memory it is to free, the JVM its reaper with the first
   * process, of which Surefire starts some; both end when they are idle, and are started again.
   */
  private static boolean isOfTheJvm(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group == null
        || group.getParent() == null
        || thread.getName().startsWith("junit-")
        || thread.getName().startsWith("process reaper")
        || thread.getName().equals("JNA Cleaner")
        || thread.getName().startsWith("ForkJoinPool.commonPool"); // JDK 25: Process.onExit
  }
}
