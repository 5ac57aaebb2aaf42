package io.jgloo.bench.diagnose;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.diagnose.Dump.Call;
import io.jgloo.transport.Membership;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says where each rank of a job is, from the calls that the ranks have dumped. */
@Command(
    name = "gloo-bench/run diagnose",
    description = {
      "Compares the calls that ranks have dumped (GLOO_DUMP_DIR, signal USR1, dumpCalls): at which",
      "call each rank is, which dumps are missing, and where the ranks disagree."
    })
public final class DiagnoseCommand implements Commands.Command {
  @Parameters(paramLabel = "DUMPS", arity = "1..*", description = "files, or directories of them")
  private List<Path> paths;

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException {
    Dump.readAll(paths).stream()
        .collect(groupingBy(Dump::groupName, TreeMap::new, toList()))
        .values()
        .forEach(dumps -> new Diagnosis(dumps).lines().forEach(out::println));
    return 0;
  }

  /**
   * Compares the records of the ranks of one group: where each rank is, which dumps are missing,
   * and the first call about which ranks disagree.
   *
   * <p>Calls are compared by their numbers. A rank that left out a call makes its next call under
   * the number of that one, so its calls are also compared with those of the others one number
   * later.
   */
  static final class Diagnosis {

    private final int size;
    private final String group;
    private final Map<Integer, Dump> dumps = new TreeMap<>();
    private final List<String> lines = new ArrayList<>();

    /**
     * @param dumps of one group, at least one; the latest of a rank counts
     */
    Diagnosis(List<Dump> dumps) {
      size = dumps.stream().mapToInt(Dump::size).max().orElseThrow();
      group = dumps.get(0).groupName();
      dumps.stream()
          .sorted(Comparator.comparing(Dump::time))
          .forEach(dump -> this.dumps.put(dump.rank(), dump));
    }

    /** What is found, as lines for people. */
    List<String> lines() {
      lines.clear();
      lines.add("group " + group + ", " + size + " ranks, dumps of " + ranks(dumps.keySet()));
      List<Integer> missing =
          IntStream.range(0, size).filter(rank -> !dumps.containsKey(rank)).boxed().toList();
      if (!missing.isEmpty()) {
        lines.add(
            "no dump of "
                + ranks(missing)
                + ": the process has ended, is stopped, or was not asked for one");
      }
      places();
      dumps.values().forEach(this::messagesAndFailure);
      long differing = firstDifference();
      if (differing >= 0) {
        difference(differing);
      } else {
        behind();
      }
      return List.copyOf(lines);
    }

    /** Ranks whose latest calls agree are in one line. */
    private void places() {
      Map<String, List<Dump>> byPlace = new LinkedHashMap<>();
      for (Dump dump : dumps.values()) {
        byPlace.computeIfAbsent(place(dump), each -> new ArrayList<>()).add(dump);
      }
      byPlace.forEach(
          (place, same) -> {
            List<Call> calls = same.stream().flatMap(dump -> dump.last().stream()).toList();
            lines.add(
                ranks(same.stream().map(Dump::rank).toList()) + ": " + place + duration(calls));
          });
    }

    private static String place(Dump dump) {
      return dump.last()
          .map(call -> "call #" + call.sequence() + " " + call.words() + ", " + call.state())
          .orElse("no collective yet");
    }

    private void messagesAndFailure(Dump dump) {
      String rank = "rank " + dump.rank();
      for (Call message : dump.runningMessages()) {
        lines.add(rank + ": message " + message.words() + ", running" + duration(List.of(message)));
      }
      if (dump.failure() != null) {
        lines.add(rank + ": failed with: " + dump.failure());
      }
    }

    /**
     * @param calls that agree and have one state
     */
    private static String duration(List<Call> calls) {
      DoubleSummaryStatistics seconds =
          calls.stream()
              .filter(call -> call.us() != null)
              .mapToDouble(call -> call.us() / 1e6)
              .summaryStatistics();
      if (seconds.getCount() == 0) {
        return "";
      }
      String least = String.format(Locale.ROOT, "%.3f", seconds.getMin());
      String most = String.format(Locale.ROOT, "%.3f", seconds.getMax());
      return (calls.get(0).isRunning() ? " for " : " after ")
          + (least.equals(most) ? least : least + " to " + most)
          + " s";
    }

    /** The first number under which two ranks have recorded different calls, or -1. */
    private long firstDifference() {
      TreeMap<Long, Call> seen = new TreeMap<>();
      long first = Long.MAX_VALUE;
      for (Dump dump : dumps.values()) {
        for (Call call : dump.collectives().values()) {
          Call other = seen.putIfAbsent(call.sequence(), call);
          if (other != null && !other.agreesWith(call)) {
            first = Math.min(first, call.sequence());
          }
        }
      }
      return first == Long.MAX_VALUE ? -1 : first;
    }

    private void difference(long sequence) {
      Map<String, List<Integer>> byCall = new TreeMap<>();
      for (Dump dump : dumps.values()) {
        Call call = dump.collectives().get(sequence);
        if (call != null) {
          byCall.computeIfAbsent(call.words(), each -> new ArrayList<>()).add(dump.rank());
        }
      }
      lines.add("call #" + sequence + " is the first about which the ranks disagree:");
      byCall.forEach((words, ranks) -> lines.add("  " + ranks(ranks) + ": " + words));
      List<Integer> most =
          byCall.values().stream().max(Comparator.comparingInt(List::size)).orElseThrow();
      TreeMap<Long, Call> usual = new TreeMap<>();
      most.forEach(rank -> usual.putAll(dumps.get(rank).collectives()));
      byCall.values().stream()
          .filter(ranks -> ranks != most)
          .flatMap(List::stream)
          .forEach(rank -> explain(sequence, rank, most, usual));
    }

    private void explain(long sequence, int rank, List<Integer> most, Map<Long, Call> usual) {
      Map<Long, Call> own = dumps.get(rank).collectives();
      long next = sequence + 1;
      boolean ahead = agree(own.get(sequence), usual.get(next));
      boolean late = agree(own.get(next), usual.get(sequence));
      String others = ranks(most);
      String what =
          "leaves out a call, makes one too many, or makes two in another order than "
              + others
              + ": too few calls are recorded to tell";
      if (ahead && late) {
        what = "makes calls #" + sequence + " and #" + next + " in the other order than " + others;
      } else if (ahead && own.containsKey(next)) {
        what = "leaves out a call of " + others + ", " + usual.get(sequence).words();
      } else if (late && usual.containsKey(next)) {
        what = "makes a call that " + others + " do not, " + own.get(sequence).words();
      }
      lines.add("rank " + rank + " " + what);
    }

    private static boolean agree(Call one, Call other) {
      return one != null && other != null && one.agreesWith(other);
    }

    /** All agree as far as they got: names those that have not made the latest call. */
    private void behind() {
      long latest = dumps.values().stream().mapToLong(Diagnosis::reached).max().orElse(-1);
      List<Integer> behind = new ArrayList<>();
      boolean waits = false;
      for (Dump dump : dumps.values()) {
        if (reached(dump) < latest) {
          behind.add(dump.rank());
        } else {
          waits |= dump.last().filter(call -> !call.state().equals("done")).isPresent();
        }
      }
      if (!behind.isEmpty()) {
        lines.add(ranks(behind) + " not yet in call #" + latest + ", which others wait in");
      } else if (waits && dumps.size() < size) {
        lines.add("all dumps have call #" + latest + "; the ranks without a dump hold it up");
      } else if (!waits) {
        lines.add("no rank waits in a collective");
      }
    }

    private static long reached(Dump dump) {
      return dump.last().map(Call::sequence).orElse(-1L);
    }

    private static String ranks(Collection<Integer> ranks) {
      return ranks.size() == 1
          ? "rank " + ranks.iterator().next()
          : "ranks " + Membership.list(ranks);
    }
  }
}
