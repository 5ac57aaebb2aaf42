package io.jgloo.bench;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.AlgorithmProvider;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.List;

/** An allreduce as a user brings one, found by ServiceLoader; and the same with a defect. */
public final class StarProvider implements AlgorithmProvider {
  @Override
  public List<Algorithm> algorithms() {
    return List.of(new Star(false), new Star(true));
  }

  /** Rank 0 receives and reduces all vectors, and sends the result to all. */
  private record Star(boolean defective) implements Algorithm {
    @Override
    public Collective collective() {
      return Collective.ALLREDUCE;
    }

    @Override
    public String name() {
      return defective ? "starWithoutRankOne" : "star";
    }

    @Override
    public boolean ordered() {
      return true;
    }

    @Override
    public Schedule schedule(Shape shape, int rank) {
      Program program = new Program(this, shape, rank);
      Range all = new Range(Space.OUTPUT, 0, shape.bytes());
      if (rank == 0) {
        program.copyOwn(all);
        for (int peer = 1; peer < shape.size(); peer++) {
          program.recvReduce(peer, program.result(all), Order.TARGET_FIRST);
          if (defective && peer == 1) {
            program.copyOwn(all);
          }
        }
        for (int peer = 1; peer < shape.size(); peer++) {
          program.send(peer, program.result(all));
        }
      } else {
        program.send(0, program.own(all));
        program.recv(0, program.result(all));
      }
      return program.schedule();
    }

    @Override
    public Cost cost(Shape shape) {
      return Cost.NOTHING;
    }
  }
}
