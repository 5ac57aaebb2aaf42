package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.Ring;

/**
 * Ring allreduce: a reduce-scatter lap, then an allgather lap; data moves left, as in Gloo.
 *
 * <p>2(P-1) steps, 2S(P-1)/P bytes per rank, the least possible. Large vectors go round in slices,
 * see {@link Ring}.
 *
 * <p>Chunk k is summed as x(k) + (x(k+1) + ... (x(k-2) + x(k-1))), indices modulo P, and is
 * finished at rank k. Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", 2009.
 *
 * <p>Drawn: allreduce ring, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2     rank 3
 * round 1   b>3 +c<1   c>0 +d<2   d>1 +a<3   a>2 +b<0
 * round 2   c>3 +d<1   d>0 +a<2   a>1 +b<3   b>2 +c<0
 * round 3   d>3 +a<1   a>0 +b<2   b>1 +c<3   c>2 +d<0
 * round 4   a>3 b<1    b>0 c<2    c>1 d<3    d>2 a<0
 * round 5   b>3 c<1    c>0 d<2    d>1 a<3    a>2 b<0
 * round 6   c>3 d<1    d>0 a<2    a>1 b<3    b>2 c<0
 * }</pre>
 *
 * <p>Drawn: allreduce ringChunked, 3 ranks, 6 elements.
 *
 * <pre>{@code
 *           rank 0              rank 1              rank 2
 * round 1   c>2 +e<1 d>2 +f<1   e>0 +a<2 f>0 +b<2   a>1 +c<0 b>1 +d<0
 * round 2   e>2 +a<1 f>2 +b<1   a>0 +c<2 b>0 +d<2   c>1 +e<0 d>1 +f<0
 * round 3   a>2 c<1 b>2 d<1     c>0 e<2 d>0 f<2     e>1 a<0 f>1 b<0
 * round 4   c>2 e<1 d>2 f<1     e>0 a<2 f>0 b<2     a>1 c<0 b>1 d<0
 * }</pre>
 *
 * @param name {@code ring}, or {@code ringChunked} where even a small vector goes round in two
 *     slices, so that one is on the wire while the other is reduced
 * @param slices how many slices there are at least
 */
public record RingAllreduce(String name, int slices) implements Embeddable {
  /** The ring that cuts no more than it must. */
  public RingAllreduce() {
    this("ring", 1);
  }

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    new Ring(program, shape, rank, slices, true, true).run();
  }

  @Override
  public Cost cost(Shape shape) {
    return Ring.cost(shape, slices, 2, true);
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
