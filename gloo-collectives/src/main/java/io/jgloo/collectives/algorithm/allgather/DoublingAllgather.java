package io.jgloo.collectives.algorithm.allgather;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Folding;

/**
 * Recursive doubling allgather: in each round ranks exchange all they have with the rank at twice
 * the distance.
 *
 * <p>log2(P) steps and the bytes of the ring; when P is no power of two, two steps more, in which
 * some ranks give their block away and get the whole ({@link Folding}). What a rank has is always
 * an interval of ranks, so each message is one range. Thakur, Rabenseifner and Gropp, "Optimization
 * of collective communication operations in MPICH", 2005.
 *
 * <p>Drawn: allgather recursiveDoubling, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0      rank 1      rank 2      rank 3
 * round 1   a>1 b<1     b>0 a<0     c>3 d<3     d>2 c<2
 * round 2   ab>2 cd<2   ab>3 cd<3   cd>0 ab<0   cd>1 ab<1
 * }</pre>
 *
 * @param collective allgather or allgatherv
 */
public record DoublingAllgather(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "recursiveDoubling";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    Folding folding = new Folding(shape.size(), rank);
    Range own = blocks.part(rank);
    program.copyOwn(own);
    if (folding.gives()) {
      program.send(folding.partner(), program.own(own));
      receiveAllBut(program, blocks, rank, folding.partner());
      return program.schedule();
    }
    if (folding.takes()) {
      program.recv(folding.partner(), program.result(blocks.part(folding.partner())));
    }
    for (int round = 0; round < folding.rounds(); round++) {
      int peer = folding.rankOf(folding.number() ^ (1 << round));
      Range mine = block(blocks, folding, folding.number() >> round, round);
      Range theirs = block(blocks, folding, (folding.number() >> round) ^ 1, round);
      boolean alone = round == 0 && !folding.takes();
      program.send(peer, alone ? program.own(mine) : program.result(mine));
      program.recv(peer, program.result(theirs));
    }
    if (folding.takes()) {
      sendAllBut(program, blocks, folding.partner());
    }
    return program.schedule();
  }

  /** The blocks of the {@code index}-th 2^round of the ranks that remain after folding. */
  private static Range block(Partition blocks, Folding folding, int index, int round) {
    int first = folding.rankOf(index << round);
    int next = (index + 1) << round;
    return blocks.parts(first, next == folding.power() ? blocks.parts() : folding.rankOf(next));
  }

  private static void sendAllBut(Program program, Partition blocks, int rank) {
    program.send(rank, program.result(blocks.parts(0, rank)));
    program.send(rank, program.result(blocks.parts(rank + 1, blocks.parts())));
  }

  private static void receiveAllBut(Program program, Partition blocks, int rank, int from) {
    program.recv(from, program.result(blocks.parts(0, rank)));
    program.recv(from, program.result(blocks.parts(rank + 1, blocks.parts())));
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Folding folding = new Folding(shape.size(), 0);
    long block = Partition.chunks(shape).longest();
    long folded = folding.takes() ? 1 : 0;
    long others = shape.size() - 1L;
    Cost sum = Cost.NOTHING;
    for (int round = 0; round < folding.rounds(); round++) {
      long held = Math.min((folded + 1) << round, shape.size()) * block;
      sum = sum.plus(new Cost(1, shape.messages(held), held, held, 0));
    }
    if (folding.takes()) { // of what is given back two ranges are made
      long whole = others * block;
      sum = sum.plus(new Cost(2, shape.messages(whole) + 1, whole, whole + block, 0));
    }
    return sum;
  }
}
