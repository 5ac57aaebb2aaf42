package io.jgloo.fault;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import java.time.Duration;

/**
 * The program of one rank: makes verified calls, shrinks the group whenever one fails, and ends
 * when a given number of ranks is left. Arguments: rank, size, store, ranks at the end.
 */
final class ShrinkRank {

  static final String WORKS = "works";
  static final String SHRINKS = "shrinks";
  static final String DONE = "done";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private ShrinkRank() {}

  public static void main(String[] arguments) {
    int left = Integer.parseInt(arguments[3]);
    ProcessGroup group =
        ProcessGroup.builder()
            .rank(Integer.parseInt(arguments[0]))
            .size(Integer.parseInt(arguments[1]))
            .store(arguments[2])
            .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
            .timeout(PATIENCE)
            .connect();
    boolean works = false;
    while (true) {
      try {
        int[] ones = {1, 1};
        group.allreduce(ones, ReduceOp.SUM);
        if (ones[0] != group.size()) {
          throw new AssertionError("the sum is " + ones[0] + " in " + group);
        }
        if (!works) {
          works = true;
          System.out.println(WORKS);
        }
        if (group.size() == left) {
          break;
        }
      } catch (JGlooException e) {
        System.out.println(SHRINKS);
        group = group.shrink(PATIENCE);
      }
    }
    group.barrier();
    System.out.println(DONE + " " + group.ranks() + " rank " + group.rank());
    group.close();
  }
}
