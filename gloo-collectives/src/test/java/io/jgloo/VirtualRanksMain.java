package io.jgloo;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Ranks on virtual threads, more than there are carriers: each run connects a group, makes calls of
 * several lengths and closes it. Arguments: a directory, ranks, runs, attributes of the device.
 */
final class VirtualRanksMain {

  private static final int[] COUNTS = {1, 1024, 16 << 10, 256 << 10};
  private static final int YIELDS = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private VirtualRanksMain() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    int runs = Integer.parseInt(arguments[2]);
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    for (String attribute : List.of(arguments).subList(3, arguments.length)) {
      int equals = attribute.indexOf('=');
      options = options.with(attribute.substring(0, equals), attribute.substring(equals + 1));
    }
    for (int run = 0; run < runs; run++) {
      String store = directory.resolve("run-" + run).toUri().toString();
      List<FutureTask<Void>> ranks = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        GroupBuilder builder =
            ProcessGroup.builder()
                .rank(rank)
                .size(size)
                .store(store)
                .device("tcp", options)
                .connectTimeout(TIMEOUT)
                .timeout(TIMEOUT);
        ranks.add(new FutureTask<>(() -> calls(builder)));
      }
      for (FutureTask<Void> rank : ranks) {
        startVirtual(rank);
      }
      for (FutureTask<Void> rank : ranks) {
        rank.get(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
    }
    System.out.println("ended " + runs + " runs");
    System.exit(0); // not held up by a thread that a failure has left
  }

  /** By reflection, as the tests are compiled for JDK 17. */
  private static void startVirtual(Runnable body) throws ReflectiveOperationException {
    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
  }

  private static Void calls(GroupBuilder builder) throws InterruptedException {
    try (ProcessGroup group = builder.connect()) {
      for (int count : COUNTS) {
        float[] x = new float[count];
        for (int call = 0; call < 3; call++) {
          Arrays.fill(x, group.rank());
          if (group.rank() == call) {
            comeLate();
          }
          group.allreduce(x, ReduceOp.SUM);
          check(x, group.size() * (group.size() - 1) / 2f);
        }
        Arrays.fill(x, 1);
        Work work = group.async().allreduce(Payload.of(x), ReduceOp.SUM);
        work.await();
        check(x, group.size());
      }
      group.barrier();
    }
    return null;
  }

  /** Takes long enough for the others to stop spinning, and needs a carrier again and again. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void comeLate() throws InterruptedException {
    Thread.sleep(2);
    for (int i = 0; i < YIELDS; i++) {
      Thread.yield();
    }
  }

  private static void check(float[] x, float expected) {
    for (float element : x) {
      if (element != expected) {
        throw new IllegalStateException("an element is " + element + ", not " + expected);
      }
    }
  }
}
