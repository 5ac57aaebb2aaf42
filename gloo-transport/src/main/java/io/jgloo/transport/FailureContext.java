package io.jgloo.transport;

import java.time.Duration;
import java.util.Locale;

/**
 * The call during which something failed.
 *
 * @param group name of the group
 * @param rank own rank
 * @param operation what ran, such as {@code allreduce(ring)}
 * @param sequence number of the call within the group
 * @param step messages completed when it failed
 * @param steps messages the call consists of at this rank
 * @param elapsed time since the call started
 */
public record FailureContext(
    String group,
    int rank,
    String operation,
    long sequence,
    int step,
    int steps,
    Duration elapsed) {

  /**
   * One line: {@code allreduce(ring) #812 failed at rank 3 of world: REASON, step 5 of 14, ...}.
   */
  String sentence(String reason) {
    return String.format(
        Locale.ROOT,
        "%s #%d failed at rank %d of %s: %s, step %d of %d, %.3f s after start",
        operation,
        sequence,
        rank,
        group,
        reason,
        step,
        steps,
        elapsed.toNanos() / 1e9);
  }
}
