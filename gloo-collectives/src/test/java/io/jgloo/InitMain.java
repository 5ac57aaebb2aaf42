package io.jgloo;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.RendezvousTimeoutException;

/** One process of a job that a launcher starts: joins the job's group and adds up all ranks. */
final class InitMain {
  /** The property with which it says that it joins now. */
  static final String ANNOUNCE = "jgloo.test.announce";

  private InitMain() {}

  public static void main(String[] arguments) {
    if (Boolean.getBoolean(ANNOUNCE)) {
      System.out.println("joining");
    }
    try (ProcessGroup group = ProcessGroup.init()) {
      long[] x = {group.rank() + 1};
      group.allreduce(x, ReduceOp.SUM);
      group.barrier();
      System.out.println("rank " + group.rank() + " of " + group.size() + ": " + x[0]);
    } catch (RendezvousTimeoutException e) {
      System.out.println("missing " + e.missingRanks());
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
      System.exit(3);
    }
  }
}
