package io.jgloo;

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

/** An allreduce as a user would bring one, by the SPI alone. */
public final class StarProvider implements AlgorithmProvider {
  static final String NAME = "star";

  /** The one count for which {@link Star} may be selected; no other test has it. */
  static final long SELECTED_COUNT = 4099;

  @Override
  public List<Algorithm> algorithms() {
    return List.of(new Star());
  }

  @Override
  public boolean selectable(Algorithm algorithm, Shape shape) {
    return shape.count() == SELECTED_COUNT;
  }

  /** Rank 0 receives and reduces all vectors, and sends the result to all. */
  record Star() implements Algorithm {
    @Override
    public Collective collective() {
      return Collective.ALLREDUCE;
    }

    @Override
    public String name() {
      return NAME;
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

    /** Less than any other, so that it is selected wherever it may be. */
    @Override
    public Cost cost(Shape shape) {
      return Cost.NOTHING;
    }
  }
}
