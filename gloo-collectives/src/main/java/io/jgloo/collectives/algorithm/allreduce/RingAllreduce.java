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
