package io.jgloo.transport;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** What was open before a test, to be compared with what is open after it. */
public final class Leaks {

  /** Threads and sockets may take a moment to go. */
  private static final long GRACE_NANOS = 5_000_000_000L;

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private final int descriptors = descriptors();
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
    long start = System.nanoTime();
    String found = found();
    while (!found.isEmpty() && System.nanoTime() - start < GRACE_NANOS) {
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
    int more = descriptors() - descriptors;
    if (more > 0) {
      found.append(more).append(" sockets or polls; ");
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!threads.contains(thread) && thread.isAlive() && !isOfTheJvm(thread)) {
        found.append("thread ").append(thread.getName()).append("; ");
      }
    }
    return found.toString();
  }

  private static boolean isOfTheJvm(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group == null || group.getParent() == null || thread.getName().startsWith("junit-");
  }

  /** Open sockets, pipes, polls and events; files are left out, for the JVM opens jars at will. */
  private static int descriptors() {
    int count = 0;
    if (!Files.isDirectory(DESCRIPTORS)) {
      return count;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : all) {
        String target = target(descriptor);
        if (target.startsWith("socket:")
            || target.startsWith("pipe:")
            || target.startsWith("anon_inode:")) {
          count++;
        }
      }
    } catch (IOException e) {
      throw new AssertionError("cannot list " + DESCRIPTORS, e);
    }
    return count;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // Closed since it was listed, such as the listing's own.
      return "";
    }
  }
}
