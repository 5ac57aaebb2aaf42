package io.jgloo.gradient;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.MismatchException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Compares lines of text that must be the same at all ranks of a group.
 *
 * <p>One allreduce of 40 bytes compares digests; only if these differ the lines are exchanged.
 *
 * <p><em>Threads</em>: one; all ranks make the same calls.
 */
final class Agreement {

  private static final String NOTHING = "nothing more";

  private final ProcessGroup group;
  private final String difference;
  private final byte[] own;

  /**
   * Prepares a comparison.
   *
   * @param difference what ranks do whose lines differ, for the message
   */
  Agreement(ProcessGroup group, String difference, List<String> lines) {
    this.group = group;
    this.difference = difference;
    own = String.join("\n", lines).getBytes(UTF_8);
  }

  /**
   * Compares them.
   *
   * @throws MismatchException at all ranks, the same, if the lines of a rank differ from rank 0's
   */
  void check() {
    UUID digest = UUID.nameUUIDFromBytes(own);
    long high = digest.getMostSignificantBits();
    long low = digest.getLeastSignificantBits();
    long[] most = {high, ~high, low, ~low, own.length};
    group.allreduce(most, ReduceOp.MAX);
    if (most[0] != ~most[1] || most[2] != ~most[3]) { // the greatest is not the least
      compare((int) most[4]);
    }
  }

  private void compare(int longest) {
    byte[] all = new byte[Math.multiplyExact(group.size(), longest)];
    group.allgather(Payload.of(Arrays.copyOf(own, longest)), Payload.of(all));
    byte[] first = Arrays.copyOf(all, longest);
    for (int rank = 1; rank < group.size(); rank++) {
      byte[] other = Arrays.copyOfRange(all, rank * longest, (rank + 1) * longest);
      if (!Arrays.equals(first, other)) {
        throw mismatch(rank, lines(first), lines(other));
      }
    }
  }

  private static List<String> lines(byte[] padded) {
    int length = padded.length;
    while (length > 0 && padded[length - 1] == 0) {
      length--;
    }
    return List.of(new String(padded, 0, length, UTF_8).split("\n", -1));
  }

  private MismatchException mismatch(int rank, List<String> first, List<String> other) {
    int at = 0;
    while (at < first.size() && at < other.size() && first.get(at).equals(other.get(at))) {
      at++;
    }
    String text =
        "ranks 0 and %d %s: %s at rank 0, %s at rank %d"
            .formatted(rank, difference, line(first, at), line(other, at), rank);
    return new MismatchException(text, side(0, first), side(rank, other));
  }

  private static String line(List<String> lines, int at) {
    return at < lines.size() ? lines.get(at) : NOTHING;
  }

  private static MismatchException.Side side(int rank, List<String> lines) {
    return new MismatchException.Side(rank, -1, lines.size(), lines.hashCode(), 0);
  }
}
