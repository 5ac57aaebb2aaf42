package io.jgloo.fault;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.util.concurrent.atomic.AtomicLong;

/** A group at work in a thread of its own, until all its ranks want to finish. */
final class Bystander {

  private final ProcessGroup group;
  private final Thread thread = new Thread(this::run, "bystander");
  private final AtomicLong rounds = new AtomicLong();
  private volatile boolean finishing;
  private volatile Throwable failure;

  Bystander(ProcessGroup group) {
    this.group = group;
    thread.start();
  }

  private void run() {
    try (group) {
      long[] x = {0, 0, 0};
      while (x[2] < group.size()) {
        x[0] = group.rank();
        x[1] = rounds.get();
        x[2] = finishing ? 1 : 0;
        group.allreduce(x, ReduceOp.SUM);
        int size = group.size();
        if (x[0] != size * (size - 1) / 2 || x[1] != size * rounds.get()) {
          throw new AssertionError("round " + rounds + " gave " + x[0] + " and " + x[1]);
        }
        rounds.incrementAndGet();
        Thread.sleep(5); // the cores are for the group that is watched
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** Calls that have succeeded so far. */
  long rounds() {
    return rounds.get();
  }

  /**
   * Ends together with the other ranks.
   *
   * @throws AssertionError if a call has failed
   */
  void finish() throws InterruptedException {
    finishing = true;
    thread.join();
    if (failure != null) {
      throw new AssertionError("the bystander has failed", failure);
    }
  }
}
