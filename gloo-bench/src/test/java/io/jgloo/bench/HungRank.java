package io.jgloo.bench;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A rank of a job that hangs. Arguments: rank, size, directory of the store, directory of dumps,
 * seconds of timeout, attribute {@code memory}, and what rank 1 does: {@code skip} a call, be
 * {@code stop}ped, or make two calls in the other {@code order}. Ends with its standard input.
 */
final class HungRank {

  static final String WORKS = "works";
  static final String FAILED = "failed";
  static final int COUNT = 1000;

  private HungRank() {}

  public static void main(String[] arguments) throws IOException {
    int rank = Integer.parseInt(arguments[0]);
    Duration timeout = Duration.ofSeconds(Long.parseLong(arguments[4]));
    boolean odd = rank == 1;
    try (ProcessGroup group =
        ProcessGroup.builder()
            .rank(rank)
            .size(Integer.parseInt(arguments[1]))
            .store("file://" + arguments[2])
            .device(
                "tcp",
                DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", arguments[5]))
            .dumpDirectory(Path.of(arguments[3]))
            .connect()) {
      float[] vector = new float[COUNT];
      group.allreduce(vector, ReduceOp.SUM);
      group.broadcast(vector, 2);
      System.out.println(WORKS);
      boolean waits = odd && !arguments[6].equals("order");
      if (!waits) {
        hang(group, timeout, odd);
      }
      while (System.in.read() >= 0) {
        // The parent ends it.
      }
    }
  }

  private static void hang(ProcessGroup group, Duration timeout, boolean odd) {
    ProcessGroup timed = group.with(group.options().timeout(timeout));
    float[] vector = new float[COUNT];
    try {
      Work first =
          odd ? timed.async().barrier() : timed.async().allreduce(Payload.of(vector), ReduceOp.SUM);
      Work second =
          odd ? timed.async().allreduce(Payload.of(vector), ReduceOp.SUM) : timed.async().barrier();
      first.await();
      second.await();
    } catch (JGlooException e) {
      System.out.println(FAILED + " " + e.getMessage());
    }
  }
}
