package io.jgloo.bench.compare;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A network namespace in which every socket has one congestion control: libraries that cannot ask
 * for another than the system's are measured under the same conditions as those that do.
 *
 * @param congestion of all sockets that do not ask for another
 */
record EqualConditions(String congestion) {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Loopback's routes, each with the congestion control; then the command. */
  private static final String ENTER =
      "ip link set lo up && for to in 127.0.0.0/8 127.0.0.1; do ip route change local $to dev lo"
          + " table local proto kernel scope host src 127.0.0.1 congctl $0 || exit 1; done"
          + " && exec \"$@\"";

  /**
   * @throws IOException if this system does not let us make such a namespace, with the reason
   */
  void check() throws IOException, InterruptedException {
    Job.run(PATIENCE, command(List.of("true")));
  }

  /** Runs a main class in the namespace; returns its exit code. */
  int run(Class<?> main, List<String> arguments, PrintWriter out, PrintWriter err)
      throws IOException, InterruptedException {
    List<String> java = Child.java(main);
    java.addAll(arguments);
    CountDownLatch ended = new CountDownLatch(1);
    try (Job job = new Job()) {
      Child child = job.start("compare", new ProcessBuilder(command(java)));
      child.follow(out::println, err::println, end -> ended.countDown());
      ended.await();
      return child.status();
    }
  }

  /** A command that does another in the namespace. */
  List<String> command(List<String> inside) {
    boolean root = "root".equals(System.getProperty("user.name"));
    List<String> all = new ArrayList<>(List.of("unshare", "--net"));
    if (!root) {
      all.add("--map-root-user");
    }
    all.addAll(List.of("sh", "-c", ENTER, congestion));
    all.addAll(inside);
    return all;
  }
}
