package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's allreduce over hypercubes: groups of two as long as the number of ranks can be halved, and
 * what is left of it as one group.
 *
 * <p>In a group a range is cut into chunks of as many elements, the last ones shorter or empty,
 * which are messages too. A member reduces the others' into its own in the order of members.
 */
public record CppGlooBcubeAllreduce() implements CppGlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "glooBcube";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (shape.size() == 1) {
      program.copyOwn(all);
    } else if (shape.count() > 0) {
      new Exchange(program, shape, rank).run(1, all);
    }
    return program.schedule();
  }

  private record Exchange(Program program, Shape shape, int rank) {
    /**
     * Reduces a range with the ranks that hold it, which are that far from each other, and back.
     */
    void run(int distance, Range range) {
      int left = shape.size() / distance;
      if (left == 1) {
        return;
      }
      int members = left % 2 == 0 ? 2 : left;
      int me = rank / distance % members;
      int first = rank - me * distance;
      Range mine = chunk(range, members, me);
      reduce(distance, range, members, me, first);
      run(distance * members, mine);
      for (int i = 0; i < members; i++) {
        if (i != me) {
          Whole.send(program, first + i * distance, mine);
        }
      }
      for (int i = 0; i < members; i++) {
        if (i != me) {
          Whole.recv(program, first + i * distance, chunk(range, members, i));
        }
      }
    }

    private void reduce(int distance, Range range, int members, int me, int first) {
      Range mine = chunk(range, members, me);
      for (int i = 0; i < members; i++) {
        if (i != me) {
          Range given = chunk(range, members, i);
          Whole.send(program, first + i * distance, distance == 1 ? program.own(given) : given);
        }
      }
      for (int i = 0; i < members; i++) {
        if (i != me) {
          Whole.recv(program, first + i * distance, slot(range, members, i, mine));
        }
      }
      if (distance == 1) {
        program.copyOwn(mine);
      }
      for (int i = 0; i < members; i++) {
        if (i != me && !mine.isEmpty()) {
          program.reduce(mine, slot(range, members, i, mine), Order.TARGET_FIRST);
        }
      }
    }

    private Range chunk(Range range, int members, int index) {
      long bytes = chunkBytes(range, members);
      long from = Math.min(range.length(), index * bytes);
      return range.part(from, Math.min(bytes, range.length() - from));
    }

    private Range slot(Range range, int members, int index, Range like) {
      return new Range(Space.SCRATCH, index * chunkBytes(range, members), like.length());
    }

    private long chunkBytes(Range range, int members) {
      long elements = range.length() / shape.elementBytes();
      return (elements + members - 1) / members * shape.elementBytes();
    }
  }
}
