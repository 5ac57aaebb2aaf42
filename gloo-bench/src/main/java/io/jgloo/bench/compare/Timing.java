package io.jgloo.bench.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * The times of one series at one size in one round.
 *
 * @param series whose, as reports name it
 * @param bytes per rank; 0 where nothing is sized
 */
record Timing(String series, long bytes, double p50Us, double p99Us, double maxUs, int calls) {

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
                Double.parseDouble(words[4]),
                Double.parseDouble(words[5]),
                Integer.parseInt(words[2])));
      }
    }
    return timings;
  }
}
