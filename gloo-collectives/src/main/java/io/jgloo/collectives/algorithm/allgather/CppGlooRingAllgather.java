package io.jgloo.collectives.algorithm.allgather;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Ring;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Ring allgather in exactly the messages of Gloo's: for groups in which ranks of both take part.
 *
 * <p>Data moves right. In an allgather a block goes round in two halves of bytes, which may cut an
 * element; in an allgatherv it goes whole. Halves and blocks without bytes are messages too, and
 * none is cut, whatever the shape's bound.
 *
 * <p>Drawn: allgather glooRing, 3 ranks, 3 elements.
 *
 * <pre>{@code
 *           rank 0          rank 1          rank 2
 * round 1   >1 <2 a>1 c<2   >2 <0 b>2 a<0   >0 <1 c>0 b<1
 * round 2   >1 <2 c>1 b<2   >2 <0 a>2 c<0   >0 <1 b>0 a<1
 * }</pre>
 *
 * @param collective allgather or allgatherv
 */
public record CppGlooRingAllgather(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "glooRing";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Partition blocks = Partition.chunks(shape);
    Program program = Whole.program(this, shape, rank);
    int size = shape.size();
    int pieces = collective.uneven() ? 1 : 2;
    int passed = shape.bytes() == 0 ? 0 : pieces * (size - 1);
    for (int i = 0; i < passed; i++) {
      int block = Math.floorMod(rank - i / pieces, size);
      Range sent = piece(blocks.part(block), i % pieces, pieces);
      Range received = piece(blocks.part((block + size - 1) % size), i % pieces, pieces);
      Whole.send(program, (rank + 1) % size, block == rank ? program.own(sent) : sent);
      Whole.recv(program, (rank + size - 1) % size, received);
    }
    program.copyOwn(blocks.part(rank));
    return program.schedule();
  }

  private static Range piece(Range block, int index, int pieces) {
    long half = block.length() / pieces;
    return index == pieces - 1
        ? block.part(index * half, block.length() - index * half)
        : block.part(0, half);
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long pieces = collective.uneven() ? 1 : 2;
    long others = shape.size() - 1L;
    long bytes = others * Partition.chunks(shape).longest();
    Cost cost = new Cost(pieces * others, pieces * others, bytes, bytes, 0);
    return Ring.overlapping(cost, others, pieces);
  }

  @Override
  public int linkSharers(Layout layout) {
    return layout.mostCrossings();
  }

  @Override
  public double idleLinks(Shape shape) {
    return 0;
  }
}
