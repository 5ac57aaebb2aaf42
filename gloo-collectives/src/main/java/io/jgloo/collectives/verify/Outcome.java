package io.jgloo.collectives.verify;

import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.BitSet;

/** Compares what the ranks ended with to what their collective promises. */
final class Outcome {
  private final Network network;
  private final Memory memory;
  private final Terms terms;
  private final Shape shape;
  private final boolean ordered;

  private Outcome(Network network, Memory memory, boolean ordered) {
    this.network = network;
    this.memory = memory;
    this.terms = memory.terms();
    this.ordered = ordered;
    this.shape = network.schedule(0).shape();
  }

  /**
   * Throws if a rank's output, or what it has heard from others in a barrier, is not right.
   *
   * @param ordered whether operands must stand in ascending order of ranks
   * @param heard for each signal, whose entry is known when it completes
   */
  static void check(Network network, Memory memory, BitSet[] heard, boolean ordered) {
    Outcome outcome = new Outcome(network, memory, ordered);
    for (int rank = 0; rank < network.size(); rank++) {
      switch (outcome.shape.collective()) {
        case ALLREDUCE -> outcome.checkOutput(rank, false);
        case BROADCAST -> outcome.checkOutput(rank, true);
        case BARRIER -> outcome.checkHeard(rank, heard);
      }
    }
  }

  private void checkOutput(int rank, boolean ofRoot) {
    Runs output = memory.output(rank);
    if (shape.bytes() == 0) {
      return;
    }
    for (int run = 0; run < output.count(); run++) {
      int term = output.term(run);
      long start = output.start(run);
      String where = "bytes " + start + " to " + output.end(run) + " of the output";
      if (term == Terms.UNDEFINED) {
        throw network.faultOf(rank, where + " are never written");
      }
      String is = " are " + terms.describe(term);
      if (output.origin(run) != start) {
        throw network.faultOf(rank, where + is + " of byte " + output.origin(run));
      }
      if (ofRoot ? term != shape.root() : terms.ranks(term) != shape.size()) {
        throw network.faultOf(rank, where + is);
      }
      if (ordered && !terms.ascending(term)) {
        throw network.faultOf(rank, where + is + ", not in order of ranks");
      }
      checkSameBits(rank, run, where + is);
    }
  }

  private void checkSameBits(int rank, int run, String what) {
    Runs output = memory.output(rank);
    Runs reference = memory.output(0);
    int other = reference.runAt(output.start(run));
    for (; other < reference.count() && reference.start(other) < output.end(run); other++) {
      if (reference.term(other) != output.term(run)) {
        throw network.faultOf(
            rank, what + " but at rank 0 " + terms.describe(reference.term(other)));
      }
    }
  }

  private void checkHeard(int rank, BitSet[] heard) {
    BitSet known = new BitSet(network.size());
    known.set(rank);
    Schedule schedule = network.schedule(rank);
    for (int op = 0; op < schedule.operations(); op++) {
      known.or(heard[network.base(rank) + op]);
    }
    if (known.cardinality() < network.size()) {
      throw network.faultOf(rank, "leaves before rank " + known.nextClearBit(0) + " has entered");
    }
  }
}
