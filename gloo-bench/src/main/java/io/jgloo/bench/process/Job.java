package io.jgloo.bench.process;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Processes that work together: started together, waited for together, ended together. */
public final class Job {
  private static final int MOST_CHARACTERS = 400;
  private static final int FIRST_PORT = 10_000;
  private static final int LAST_PORT = 32_767;
  private static final int MOST_PORTS = 100;

  private Job() {}

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
    List<Child> children = new ArrayList<>();
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      for (List<String> command : commands) {
        Consumer<String> out = children.isEmpty() ? lines::add : line -> {};
        Child child =
            new Child(program, new ProcessBuilder(command).redirectInput(new File("/dev/null")));
        children.add(child);
        child.follow(out, child::keep, ended::add);
      }
      for (int left = children.size(); left > 0; left--) {
        Child child = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (child == null) {
          throw new IOException(
              program + " did not end in " + patience.toSeconds() + " s: " + why(children.get(0)));
        } else if (child.status() != 0) {
          throw new IOException(program + " ended with code " + child.status() + ": " + why(child));
        }
      }
      return List.copyOf(lines);
    } finally {
      children.forEach(Child::stop);
    }
  }

  /** The same with a single process. */
  public static List<String> run(Duration patience, List<String> command)
      throws IOException, InterruptedException {
    return run(List.of(command), patience);
  }

  /**
   * A port on which no process listens now, for a server that is started soon. It is outside the
   * range from which Linux chooses ports for those who ask for any, else it might be gone by then.
   */
  public static int freePort() throws IOException {
    int taken = 0;
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT + 1);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException e) {
        taken++;
        if (taken == MOST_PORTS) {
          throw e;
        }
      }
    }
  }

  /** The beginning of what a process complained of: the rest are consequences and stacks. */
  private static String why(Child child) {
    String text = String.join(" ", child.errors()).strip();
    return text.substring(0, Math.min(text.length(), MOST_CHARACTERS));
  }
}
