package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Folding;

/**
 * Rabenseifner's allreduce: a reduce-scatter in which pairs at distance 1, 2, 4 ... halve the
 * vector, then the same exchanges backwards; the ordered algorithm for large vectors.
 *
 * <p>2 log2(P) steps, 2S(P-1)/P bytes; when P is no power of two, two steps and 2S more ({@link
 * Folding}). Distances grow while ranges shrink, so blocks that meet are neighbours and operands
 * stand in the order of ranks. What is sent and what is received are disjoint, so nothing is
 * copied. Rabenseifner, "Optimization of collective reduction operations", 2004.
 *
 * <p>Drawn: allreduce rabenseifner, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0       rank 1       rank 2       rank 3
 * round 1   cd>1 +ab<1   ab>0 +cd<0   cd>3 +ab<3   ab>2 +cd<2
 * round 2   b>2 +a<2     d>3 +c<3     a>0 +b<0     c>1 +d<1
 * round 3   a>2 b<2      c>3 d<3      b>0 a<0      d>1 c<1
 * round 4   ab>1 cd<1    cd>0 ab<0    ab>3 cd<3    cd>2 ab<2
 * }</pre>
 */
public record RabenseifnerAllreduce() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "rabenseifner";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Folding folding = new Folding(shape.size(), rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (shape.size() == 1) {
      program.copyOwn(all);
    } else if (folding.gives()) {
      program.send(folding.partner(), program.own(all));
      program.recv(folding.partner(), all);
    } else {
      if (folding.takes()) {
        program.recvReduceOwn(folding.partner(), all, Order.TARGET_FIRST);
      }
      Partition parts = Partition.pieces(shape, all, folding.power());
      new Halving(program, folding, parts).run(0, 0, folding.power(), !folding.takes());
      if (folding.takes()) {
        program.send(folding.partner(), all);
      }
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Folding folding = new Folding(shape.size(), 0);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    long part = Partition.pieces(shape, all, folding.power()).longest();
    long folded = folding.takes() ? 1 : 0;
    int local = folded == 0 ? localRounds(shape.layout(), folding.rounds()) : 0;
    long messages = folded * shape.messages(shape.bytes());
    long localBytes = 0;
    for (int round = 0; round < folding.rounds(); round++) {
      long half = (folding.power() >> (round + 1)) * part;
      messages += 2 * shape.messages(half);
      localBytes += round < local ? 2 * half : 0;
    }
    long exchanged = (folding.power() - 1) * part;
    return new Cost(
        2 * (folding.rounds() + folded),
        messages,
        2 * exchanged + folded * shape.bytes(),
        2 * exchanged + 2 * folded * shape.bytes(),
        exchanged + folded * shape.bytes(),
        2L * local,
        localBytes,
        0);
  }

  /** How many rounds, those of the long halves, stay inside hosts: their ranks are neighbours. */
  private static int localRounds(Layout layout, int rounds) {
    for (int round = 0; round < rounds && layout.hasTiers(); round++) {
      for (int rank = 0; rank < layout.size(); rank++) {
        if (layout.node(rank) != layout.node(rank ^ 1 << round)) {
          return round;
        }
      }
    }
    return 0;
  }

  private record Halving(Program program, Folding folding, Partition parts) {
    /** Reduces parts {@code first} up to {@code end} with the others that hold them, and back. */
    void run(int round, int first, int end, boolean untouched) {
      if (round == folding.rounds()) {
        return;
      }
      int peer = folding.rankOf(folding.number() ^ (1 << round));
      int middle = (first + end) / 2;
      boolean lower = (folding.number() >> round & 1) == 0;
      Range kept = lower ? parts.parts(first, middle) : parts.parts(middle, end);
      Range given = lower ? parts.parts(middle, end) : parts.parts(first, middle);
      Order order = lower ? Order.TARGET_FIRST : Order.SOURCE_FIRST;
      if (untouched) {
        program.send(peer, program.own(given));
        program.recvReduceOwn(peer, kept, order);
      } else {
        program.send(peer, given);
        program.recvReduce(peer, kept, order);
      }
      run(round + 1, lower ? first : middle, lower ? middle : end, false);
      program.send(peer, kept);
      program.recv(peer, given);
    }
  }
}
