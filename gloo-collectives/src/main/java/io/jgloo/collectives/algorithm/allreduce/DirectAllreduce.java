package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.DirectExchange;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import java.util.stream.IntStream;

/**
 * Direct allreduce: rank k reduces chunk k from all ranks and sends it to all ranks.
 *
 * <p>Two steps of messages that need not wait for each other, 2S(P-1)/P bytes: for ranks of one
 * host, where a message costs little and all ranks are equally near. Slices follow each other, and
 * {@value #SLICES_AHEAD} are reduced before the first is sent out.
 *
 * <p>Drawn: allreduce direct, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2     rank 3
 * round 1   b>1 +a<3   c>2 +b<0   d>3 +c<1   a>0 +d<2
 * round 2   c>2 +a<2   d>3 +b<3   a>0 +c<0   b>1 +d<1
 * round 3   d>3 +a<1   a>0 +b<2   b>1 +c<3   c>2 +d<0
 * round 4   a>1 d<3    b>2 a<0    c>3 b<1    d>0 c<2
 * round 5   a>2 c<2    b>3 d<3    c>0 a<0    d>1 b<1
 * round 6   a>3 b<1    b>0 c<2    c>1 d<3    d>2 a<0
 * }</pre>
 */
public record DirectAllreduce() implements Embeddable {
  private static final int SLICES_AHEAD = 2;

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    Partition chunks = Partition.chunks(shape);
    if (shape.size() == 1) {
      program.copyOwn(chunks.part(0));
      return;
    }
    DirectExchange exchange =
        new DirectExchange(program, IntStream.range(0, shape.size()).boxed().toList(), chunks);
    for (int slice = 0; slice < exchange.slices() + SLICES_AHEAD; slice++) {
      if (slice < exchange.slices()) {
        exchange.reduce(slice);
      }
      if (slice >= SLICES_AHEAD) {
        exchange.publish(slice - SLICES_AHEAD);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long chunk = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    long messages = others + Math.min(others, shape.count() - 1); // to all, and to other owners
    long queued = Math.max(others - 1, messages - 2); // one in and one out at a time
    return new Cost(
            queued + 2,
            messages * shape.messages(chunk),
            messages * chunk,
            2 * others * chunk,
            others * chunk)
        .queueing(queued);
  }
}
