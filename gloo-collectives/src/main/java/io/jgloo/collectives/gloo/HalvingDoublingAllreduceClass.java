package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class AllreduceHalvingDoubling: within each block of ranks pairs exchange halves; blocks
 * hand what they have reduced to the next larger one and get the result from there.
 */
public record HalvingDoublingAllreduceClass() implements GlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "allreduceHalvingDoubling";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return shape.count() == 0 ? 0 : 2L * shape.size() * (shape.size() - 1);
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    program.copyOwn(all);
    if (slots(shape) > 0) {
      Halving halving = new Halving(program, shape, rank, all);
      halving.reduce();
      int smaller = halving.takeFromSmaller();
      for (Halving.Piece piece : halving.pieces()) {
        program.put(piece.target(), halving.slot(piece.target()), piece.range(), 0);
      }
      for (Halving.Piece piece : halving.pieces()) {
        program.take(piece.target(), halving.slot(piece.target()), piece.range(), 0);
      }
      if (smaller >= 0) {
        program.put(smaller, halving.slot(smaller), halving.last(), 0);
      }
      halving.gather();
    }
    return program.schedule();
  }
}
