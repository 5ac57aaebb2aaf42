package io.jgloo.bench.compare;

import io.jgloo.bench.Main;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.process.TemporaryFolder;
import io.jgloo.bench.report.Sheet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * System calls of an allreduce of two processes, counted by strace.
 *
 * <p>Two runs that differ only in the number of timed calls are counted whole; what they differ by
 * is what the calls in between made. Tracing slows every system call down, so that those which look
 * and find nothing are fewer than without, or more; those that move bytes are as many.
 */
final class SystemCalls {

  private static final String TRACED =
      "sendto,recvfrom,sendmsg,recvmsg,read,write,readv,writev,epoll_wait,epoll_pwait,epoll_pwait2";

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int WARM_UP = 500;
  private static final int RANKS = 2;

  /** How often a system call was made, and how often in vain. */
  record Count(long calls, long errors) {}

  private SystemCalls() {}

  /** The row of a size: sends and receives that moved bytes, those that moved none, and polls. */
  static Map<String, Object> measure(long bytes, int calls, String congestion)
      throws IOException, InterruptedException {
    Map<String, Count> few = count(bytes, calls, congestion);
    Map<String, Count> many = count(bytes, 3 * calls, congestion);
    double per = 2.0 * calls * RANKS;
    double sends = 0;
    double receives = 0;
    double empty = 0;
    double polls = 0;
    for (Map.Entry<String, Count> entry : many.entrySet()) {
      Count before = few.getOrDefault(entry.getKey(), new Count(0, 0));
      double made = (entry.getValue().calls - before.calls) / per;
      double vain = (entry.getValue().errors - before.errors) / per;
      if (entry.getKey().startsWith("epoll")) {
        polls += made;
      } else if (entry.getKey().matches("send.*|write.*")) {
        sends += made - vain;
        empty += vain;
      } else {
        receives += made - vain;
        empty += vain;
      }
    }
    double mib = bytes / (double) (1 << 20);
    return Sheet.row(
        "bytes", bytes,
        "sends", sends,
        "receives", receives,
        "perMib", mib < 1 ? "-" : (Object) ((sends + receives) / mib),
        "empty", empty,
        "polls", polls);
  }

  private static Map<String, Count> count(long bytes, int calls, String congestion)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      Path summary = folder.path().resolve("strace");
      List<String> command = new ArrayList<>(List.of("strace", "-f", "-c", "-o"));
      command.addAll(List.of(summary.toString(), "-e", "trace=" + TRACED));
      command.addAll(Child.java(Main.class));
      command.addAll(List.of("allreduce", "--ranks", "" + RANKS, "--in-place", "--format", "json"));
      command.addAll(List.of("--device-option", "congestion=" + congestion));
      command.addAll(List.of("--sizes", "" + bytes));
      command.addAll(List.of("--warmup", "" + WARM_UP, "--iters", "" + calls));
      Job.run(PATIENCE, command);
      return parse(Files.readAllLines(summary));
    }
  }

  /** Reads strace's summary: share, seconds, microseconds per call, calls, errors if any, name. */
  static Map<String, Count> parse(List<String> summary) {
    Map<String, Count> counts = new TreeMap<>();
    for (String line : summary) {
      String[] words = line.trim().split(" +", -1);
      boolean counted = words.length >= 5 && words[3].matches("[0-9]+");
      if (counted && !words[words.length - 1].equals("total")) {
        long errors = words.length > 5 ? Long.parseLong(words[4]) : 0;
        counts.put(words[words.length - 1], new Count(Long.parseLong(words[3]), errors));
      }
    }
    return counts;
  }
}
