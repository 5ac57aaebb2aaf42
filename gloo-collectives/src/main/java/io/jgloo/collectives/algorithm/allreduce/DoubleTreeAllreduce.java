package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.BinaryTrees;

/**
 * Double binary tree allreduce: segments go up one of two binary trees to rank 0 and down again,
 * one going up while another comes down.
 *
 * <p>About 4 log2(P) steps, and 2S bytes sent by a rank as in a ring: for large vectors and so many
 * ranks that the steps of a ring count.
 */
public record DoubleTreeAllreduce() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "doubleTree";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    BinaryTrees tree = new BinaryTrees(program, shape, rank, 2);
    Partition segments = BinaryTrees.segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      if (shape.size() == 1) {
        program.copyOwn(range);
      } else {
        tree.up(segment, range, program.result(range));
        tree.down(segment, range, program.result(range));
      }
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    Cost way = BinaryTrees.cost(shape, 2);
    return way.plus(way).reducing(way.steps() * BinaryTrees.segments(shape).longest());
  }
}
