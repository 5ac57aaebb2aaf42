package io.jgloo.collectives.algorithm.barrier;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Tree barrier: messages up a binomial tree reach rank 0 when all ranks have entered, messages down
 * release them.
 *
 * <p>2 ceil(log2(P)) steps, twice those of dissemination, but 2(P-1) messages in all instead of P
 * ceil(log2(P)): for many ranks on few cores. Mellor-Crummey and Scott, "Algorithms for scalable
 * synchronization on shared-memory multiprocessors", 1991.
 *
 * <p>Drawn: barrier tree, 5 ranks, 0 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3   rank 4
 * round 1   <1       >0       <3       >2
 * round 2   <2                >0
 * round 3   <4                                  >0
 * round 4   >4                                  <0
 * round 5   >2                <0
 * round 6   >1       <0       >3       <2
 * }</pre>
 */
public final class TreeBarrier implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.BARRIER;
  }

  @Override
  public String name() {
    return "tree";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    int size = shape.size();
    up(program, size, rank);
    down(program, size, rank);
    return program.schedule();
  }

  /** Tells rank 0 that all have entered. */
  static void up(Program program, int size, int rank) {
    int parent = parentDistance(size, rank);
    for (int far = 1; far < parent && rank + far < size; far *= 2) {
      program.await(rank + far);
    }
    if (rank != 0) {
      program.signal(rank - parent);
    }
  }

  /** Rank 0 releases all. */
  static void down(Program program, int size, int rank) {
    int parent = parentDistance(size, rank);
    if (rank != 0) {
      program.await(rank - parent);
    }
    for (int far = Integer.highestOneBit(size); far >= 1; far /= 2) {
      if (far < parent && rank + far < size) {
        program.signal(rank + far);
      }
    }
  }

  private static int parentDistance(int size, int rank) {
    return rank == 0 ? size : Integer.lowestOneBit(rank);
  }

  @Override
  public Cost cost(Shape shape) {
    long rounds = shape.doublings();
    return new Cost(2 * rounds, rounds, 0, 0, 0);
  }
}
