package io.jgloo.bench.process;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Processes that work together, and end together: when the job is closed, or this JVM ends.
 *
 * <p><em>Threads</em>: any.
 */
public final class Job implements AutoCloseable {
  private static final int MOST_CHARACTERS = 400;
  private static final int FIRST_PORT = 10_000;
  private static final int LAST_PORT = 32_767;
  private static final int MOST_PORTS = 100;

  private final List<Child> children = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::stop, "bench-stop-processes");
  private volatile boolean stopping;

  public Job() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts a process of this job. */
  public Child start(String name, ProcessBuilder builder) throws IOException {
    Child child = new Child(name, builder);
    children.add(child);
    return child;
  }

  /** Whether its processes are ended because this JVM ends. */
  public boolean isStopping() {
    return stopping;
  }

  private void stop() {
    stopping = true;
    children.forEach(Child::stop);
  }

  @Override
  public void close() {
    children.forEach(Child::stop);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM ends, and the hook is at work.
    }
  }

  /**
   * Runs commands to their ends.
   *
   * @return the lines the first one printed
   * @throws IOException with the error output of the first process that ends with another code than
   *     0, or if one still runs at the deadline
   */
  public static List<String> run(List<List<String>> commands, Duration patience)
      throws IOException, InterruptedException {
    String program = commands.get(0).get(0);
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    BlockingQueue<Child> ended = new LinkedBlockingQueue<>();
    long deadline = System.nanoTime() + patience.toNanos();
    try (Job job = new Job()) {
      for (List<String> command : commands) {
        Consumer<String> out = job.children.isEmpty() ? lines::add : line -> {};
        job.start(program, new ProcessBuilder(command).redirectInput(new File("/dev/null")))
            .follow(out, null, ended::add);
      }
      for (int left = commands.size(); left > 0; left--) {
        Child child = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (child == null) {
          String first = why(job.children.get(0));
          throw new IOException(
              program + " did not end in " + patience.toSeconds() + " s: " + first);
        } else if (child.status() != 0) {
          throw new IOException(program + " ended with code " + child.status() + ": " + why(child));
        }
      }
      return List.copyOf(lines);
    }
  }

  /** Runs a single command, as {@link #run(List, Duration)}. */
  public static List<String> run(Duration patience, List<String> command)
      throws IOException, InterruptedException {
    return run(List.of(command), patience);
  }

  /** Returns the beginning of what a process complained of: the rest are consequences. */
  private static String why(Child child) {
    String text = String.join(" ", child.errors()).strip();
    return text.substring(0, Math.min(text.length(), MOST_CHARACTERS));
  }

  /**
   * Returns a port on which no process listens now, for a server that is started soon. It is
   * outside the range from which Linux chooses ports for those who ask for any, else it might be
   * gone then.
   */
  public static int freePort() throws IOException {
    for (int taken = 0; ; taken++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT + 1);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException e) {
        if (taken == MOST_PORTS) {
          throw e;
        }
      }
    }
  }
}
