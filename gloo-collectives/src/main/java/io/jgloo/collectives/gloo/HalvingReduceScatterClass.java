package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class ReduceScatterHalvingDoubling: the first half of its allreduce, up to the largest
 * block of ranks, each of which then has an equal chunk and hands it out to those it belongs to.
 *
 * @param collective reduceScatter or reduceScatterv
 */
public record HalvingReduceScatterClass(Collective collective) implements GlooAlgorithm {
  private static final int SLOTS_TAKEN = 4; // of each pair, though the pairs are 2 apart
  private static final int HANDED_OUT = 2;

  @Override
  public String name() {
    return "reduceScatterHalvingDoubling";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return (long) SLOTS_TAKEN * shape.size() * (shape.size() - 1);
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    if (shape.size() == 1) {
      program.copyOwn(Partition.chunks(shape).part(0));
      return program.schedule();
    }
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    Range place = all.in(Space.SCRATCH).moved(Program.BEHIND_NOTES);
    program.copy(place, program.own(all));
    Halving halving = new Halving(program, shape, rank, place);
    halving.reduce();
    halving.takeFromSmaller();
    for (Halving.Piece piece : halving.pieces()) {
      program.put(piece.target(), halving.slot(piece.target()), piece.range(), 0);
    }
    new HandingOut(program, shape, rank, halving).run();
    return program.schedule();
  }

  private record HandingOut(Program program, Shape shape, int rank, Halving halving) {
    void run() {
      boolean source = halving.block.larger() == 0;
      int chunks = 1 << halving.steps;
      int chunk = BinaryBlocks.reversed(halving.steps, rank);
      for (int peer = 0; source && peer < shape.size(); peer++) {
        Range part = common(chunk, peer);
        if (peer != rank && !part.isEmpty()) {
          program.put(peer, halving.slot(peer) + HANDED_OUT, held(part), 0);
        }
      }
      for (int index = 0; index < chunks; index++) {
        take(BinaryBlocks.reversed(halving.steps, index), common(index, rank));
      }
      halving.awaitNotes();
      for (int peer = 0; source && peer < shape.size(); peer++) {
        if (peer != rank && !common(chunk, peer).isEmpty()) {
          program.awaitNote(peer, halving.slot(peer) + HANDED_OUT + 1);
        }
      }
    }

    private void take(int from, Range part) {
      if (part.isEmpty()) {
        return;
      }
      if (from == rank) {
        program.copy(program.result(part), held(part));
        return;
      }
      program.take(from, halving.slot(from) + HANDED_OUT, program.result(part), 0);
      program.note(from, halving.slot(from) + HANDED_OUT + 1);
    }

    /** What a chunk and a rank's block have in common, as a range of the vector. */
    private Range common(int chunk, int peer) {
      Range block = Partition.chunks(shape).part(peer);
      long bytes = halving.chunk() * shape.elementBytes();
      long from = Math.max(block.offset(), Math.min(shape.bytes(), chunk * bytes));
      long end = Math.min(block.end(), (chunk + 1) * bytes);
      return new Range(Space.OUTPUT, from, Math.max(0, end - from));
    }

    private Range held(Range part) {
      return part.in(Space.SCRATCH).moved(Program.BEHIND_NOTES);
    }
  }
}
