package io.jgloo.transport.leaks;

import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads, descriptors and off-heap bytes of this process before a test, to be compared with
 * those after it.
 */
public final class Leaks {

  /** Threads and sockets may take a moment to go. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final OpenDescriptors descriptors = OpenDescriptors.now();
  private final ThreadGroup group;
  private final Set<Thread> threads;
  private final long memory = Memory.allocatedBytes();

  private Leaks(ThreadGroup group) {
    this.group = group;
    threads = threadsOf(group);
  }

  /** What is open now in this process. */
  public static Leaks before() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return new Leaks(root);
  }

  /** What is open now, of threads those of a group only. */
  public static Leaks before(ThreadGroup group) {
    return new Leaks(group);
  }

  /** The threads that run in a group and are not the JVM's own. */
  public static Set<Thread> threadsOf(ThreadGroup group) {
    Thread[] found = new Thread[16];
    int count = group.enumerate(found);
    while (count == found.length) { // more than that are left out
      found = new Thread[2 * count];
      count = group.enumerate(found);
    }
    Set<Thread> own = new HashSet<>();
    for (int i = 0; i < count; i++) {
      if (found[i].isAlive() && !isOfTheJvm(found[i])) {
        own.add(found[i]);
      }
    }
    return own;
  }

  /**
   * @throws AssertionError if something is still open after a grace period
   */
  public void check() {
    check(GRACE);
  }

  /**
   * @throws AssertionError if something is still open after this grace period
   */
  public void check(Duration grace) {
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
    for (Thread thread : threadsOf(group)) {
      if (!threads.contains(thread)) {
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
