package io.jgloo.testkit;

import io.jgloo.ProcessGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes what ranks that hang wait for: their calls that run, and their stacks. */
final class PendingCalls {

  private static final int FRAMES = 40;

  private PendingCalls() {}

  /**
   * @param groups by rank, null for one that is not connected
   * @param ended the ranks that do not hang
   */
  static String describe(
      Duration deadline, @Nullable ProcessGroup[] groups, List<Thread> threads, BitSet ended) {
    List<Integer> hanging = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < groups.length; rank++) {
      if (ended.get(rank)) {
        text.append("\nrank ").append(rank).append(" has ended");
        continue;
      }
      hanging.add(rank);
      ProcessGroup group = groups[rank];
      String calls = group == null ? "is not connected" : String.join("; ", running(group));
      text.append("\nrank ").append(rank).append(": ");
      text.append(calls.isEmpty() ? "no call is running" : calls);
      StackTraceElement[] stack = threads.get(rank).getStackTrace();
      for (int i = 0; i < Math.min(FRAMES, stack.length); i++) {
        text.append("\n    at ").append(stack[i]);
      }
    }
    return "ranks " + hanging + " hang after " + deadline.toMillis() / 1e3 + " s:" + text;
  }

  private static List<String> running(ProcessGroup group) {
    return calls(group).stream().filter(call -> call.contains("state:running")).toList();
  }

  /** The last calls of a rank, see {@link #calls(Path)}. */
  static List<String> calls(ProcessGroup group) {
    try {
      Path folder = Files.createTempDirectory("jgloo-testkit-");
      try {
        Path file = group.dumpCalls(folder);
        List<String> calls = calls(file);
        Files.delete(file);
        return calls;
      } finally {
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the calls of " + group, e);
    }
  }

  /**
   * The first collective that is not the same at all ranks, or that one of them has not made; empty
   * if there is none.
   */
  static String disagreement(@Nullable ProcessGroup[] groups) {
    List<List<String>> byRank = new ArrayList<>();
    int most = 0;
    for (ProcessGroup group : groups) {
      List<String> collectives =
          group == null
              ? List.of()
              : calls(group).stream()
                  .filter(call -> call.startsWith("sequence:"))
                  .map(call -> call.replaceAll("sequence:\\d+, |algorithm:[^,]*, |, bytes:.*", ""))
                  .toList();
      byRank.add(collectives);
      most = Math.max(most, collectives.size());
    }
    for (int call = 0; call < most; call++) {
      List<String> said = new ArrayList<>();
      for (List<String> calls : byRank) {
        said.add(call < calls.size() ? calls.get(call) : "no call");
      }
      if (said.stream().distinct().count() > 1) {
        StringBuilder text = new StringBuilder("; collective " + (call + 1) + " differs:");
        for (int rank = 0; rank < said.size(); rank++) {
          text.append("\n    rank ").append(rank).append(": ").append(said.get(rank));
        }
        return text.toString();
      }
    }
    return "";
  }

  /** The calls that run, of a file that {@link ProcessGroup#dumpCalls} has written. */
  static List<String> running(Path file) throws IOException {
    return calls(file).stream().filter(call -> call.contains("state:running")).toList();
  }

  /** All calls of such a file, which has one in a line, without quotes and braces. */
  static List<String> calls(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.contains("\"operation\":"))
        .map(line -> line.replaceAll("^\\{|\\},?$|\"", "").replace(",", ", "))
        .toList();
  }
}
