package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.collectives.ReduceOp;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;

/**
 * Counts, at the start of each step, the ranks that still have input: an allreduce of 4 bytes.
 *
 * <p><em>Threads</em>: under the lock of its reducer.
 */
@NullUnmarked // work is set in each step
final class ActiveRanks {

  private final ProcessGroup group;
  private final int[] count = new int[1];
  private final Payload payload = Payload.of(count);
  private Work work; // null before the step

  ActiveRanks(ProcessGroup group) {
    this.group = group;
  }

  /** Begins the count of a step, unless it has begun. */
  void begin(boolean active) {
    if (work == null) {
      count[0] = active ? 1 : 0;
      work = group.async().allreduce(payload, ReduceOp.SUM);
    }
  }

  /** How many there are; waits until all ranks have begun the step, or the group's timeout. */
  int await() {
    work.await();
    return count[0];
  }

  /** The same, within a time; may be called again when that was too short. */
  int await(Duration limit) {
    work.await(limit);
    return count[0];
  }

  /** Ends the step, whose count is known. */
  void end() {
    work = null;
  }
}
