package io.jgloo.bench.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Compares what two jobs left, rank by rank and case by case, to the byte. */
final class Dumps {
  private Dumps() {}

  /** Returns how many outputs were compared. */
  static int assertSame(Path expected, Path actual, int size, Object what) throws IOException {
    int compared = 0;
    for (int rank = 0; rank < size; rank++) {
      List<String> index = Files.readAllLines(expected.resolve("rank-" + rank + ".txt"));
      assertEquals(
          index, Files.readAllLines(actual.resolve("rank-" + rank + ".txt")), "rank " + rank);
      byte[] wanted = Files.readAllBytes(expected.resolve("rank-" + rank + ".bin"));
      byte[] got = Files.readAllBytes(actual.resolve("rank-" + rank + ".bin"));
      assertEquals(wanted.length, got.length, "rank " + rank);
      int from = 0;
      for (String line : index) {
        int length = Integer.parseInt(line.substring(0, line.indexOf(' ')));
        int at = Arrays.mismatch(wanted, from, from + length, got, from, from + length);
        if (at >= 0) {
          fail(what + ", rank " + rank + ", byte " + at + " of " + line);
        }
        from += length;
        compared++;
      }
    }
    return compared;
  }
}
