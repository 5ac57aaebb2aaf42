package io.jgloo.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Something that is measured beside others, in processes of its own.
 *
 * @param name for progress and for what failed
 * @param mode how it is run, which a reader of its figures must know
 * @param measures which tasks it can do
 */
record Peer(String name, String mode, Predicate<Task> measures, Measurement measurement) {
  static final String OURS = "JGloo";
  static final String SHARED = "JGloo, shared memory";
  static final String ALLOCATED = "JGloo, allocated memory";
  static final String HEAP = "JGloo, heap arrays";
  static final String OURS_AS_GLOO = "JGloo, wire gloo";
  static final String GLOO = "C++ Gloo default";
  static final String POLLING = "C++ Gloo sync+busy-poll";
  static final String MPI_TCP = "Open MPI TCP";
  static final String MPI_SHM = "Open MPI shared memory";
  static final String MPICH_TCP = "MPICH TCP";
  static final String MPICH_SHM = "MPICH shared memory";
  static final String EXCHANGE = "C limit, both ways";
  static final String ONE_WAY = "C limit, one way";
  static final String PINGPONG = "C limit, ping-pong";

  private static final Set<String> IN_MEMORY = Set.of(SHARED, ALLOCATED, MPI_SHM, MPICH_SHM);

  /** Our series over the same medium, by whose time a series is judged. */
  static String ours(String series) {
    return IN_MEMORY.contains(series) ? SHARED : OURS;
  }

  /** One round of a task. */
  @FunctionalInterface
  interface Measurement {
    /**
     * Measures one or more series.
     *
     * @throws IOException if a process failed or did not end
     */
    List<Timing> measure(Task task) throws IOException, InterruptedException;
  }

  /**
   * What all peers are to measure beside each other.
   *
   * @param operation by its name on the command line
   * @param sizes in bytes per rank, ascending; 0 alone for an operation without vectors
   * @param millis that the timed calls of one size should take
   */
  record Task(String operation, int ranks, List<Long> sizes, int millis) {
    boolean isSized() {
      return !sizes.equals(List.of(0L));
    }

    boolean isAllreduce() {
      return operation.equals("allreduce");
    }

    /** The sizes as drivers want them. */
    List<String> words() {
      return sizes.stream().map(bytes -> "" + bytes).toList();
    }

    /** Seconds as drivers want them. */
    String seconds() {
      return Double.toString(millis / 1e3);
    }

    @Override
    public String toString() {
      return operation + " with " + ranks + " ranks";
    }
  }

  /**
   * The times of one series at one size in one round.
   *
   * @param series whose, as reports name it
   * @param bytes per rank; 0 where nothing is sized
   */
  record Timing(String series, long bytes, double p50Us, double p99Us) {

    private static final int WORDS = 6;

    /**
     * Reads what drivers print: lines of {@code kind bytes calls p50_us p99_us max_us}.
     *
     * @param kind lines of other kinds are passed over
     */
    static List<Timing> parse(String series, String kind, List<String> lines) {
      List<Timing> timings = new ArrayList<>();
      for (String line : lines) {
        String[] words = line.trim().split(" +", -1);
        if (words.length == WORDS && words[0].equals(kind)) {
          timings.add(
              new Timing(
                  series,
                  Long.parseLong(words[1]),
                  Double.parseDouble(words[3]),
                  Double.parseDouble(words[4])));
        }
      }
      return timings;
    }
  }
}
