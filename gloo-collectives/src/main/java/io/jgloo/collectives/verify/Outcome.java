package io.jgloo.collectives.verify;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Schedule;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Compares what the ranks ended with to what their collective promises. */
final class Outcome {
  private final Network network;
  private final Memory memory;
  private final Terms terms;
  private final Collective collective;
  private final boolean ordered;

  private Outcome(Network network, Memory memory, boolean ordered) {
    this.network = network;
    this.memory = memory;
    this.terms = memory.terms();
    this.ordered = ordered;
    this.collective = network.schedule(0).shape().collective();
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
      if (outcome.collective == Collective.BARRIER) {
        outcome.checkHeard(rank, heard);
      }
      for (Promise promise : Promise.of(network, rank)) {
        outcome.check(rank, promise);
      }
    }
  }

  private void check(int rank, Promise promise) {
    Runs output = memory.output(rank);
    long end = promise.offset() + promise.length();
    if (promise.length() == 0) {
      return;
    }
    for (int run = output.runAt(promise.offset());
        run < output.count() && output.start(run) < end;
        run++) {
      String wrong = wrong(output, run, promise);
      if (wrong == null && collective == Collective.ALLREDUCE) {
        wrong = otherBits(output, run);
      }
      if (wrong != null) {
        throw network.faultOf(
            rank,
            "bytes %d to %d of the output are %s%s"
                .formatted(
                    output.start(run), output.end(run), terms.describe(output.term(run)), wrong));
      }
    }
  }

  /** What is wrong with a run in itself, or null. */
  private @Nullable String wrong(Runs output, int run, Promise promise) {
    int term = output.term(run);
    if (term == Terms.UNDEFINED) {
      return "";
    }
    if (output.origin(run) - output.start(run) != promise.origin() - promise.offset()) {
      return " of byte " + output.origin(run);
    }
    if (!terms.areOf(term, promise.first(), promise.end())) {
      return "";
    }
    return ordered && !terms.ascending(term) ? ", not in order of ranks" : null;
  }

  /** In what a run differs from rank 0's, or null. */
  private @Nullable String otherBits(Runs output, int run) {
    Runs reference = memory.output(0);
    int other = reference.runAt(output.start(run));
    for (; other < reference.count() && reference.start(other) < output.end(run); other++) {
      if (reference.term(other) != output.term(run)) {
        return " but at rank 0 " + terms.describe(reference.term(other));
      }
    }
    return null;
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
