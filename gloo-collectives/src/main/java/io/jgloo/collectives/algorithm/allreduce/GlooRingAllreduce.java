package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Order;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.GlooSegments;
import io.jgloo.collectives.algorithm.pattern.Ring;

/**
 * Ring allreduce in exactly the messages of Gloo's: for groups in which ranks of both take part.
 *
 * <p>The association is that of {@code ring}, so results have the same bits where chunks are cut
 * alike; the segments of a chunk follow each other through each step. 2(P-1) steps.
 */
public record GlooRingAllreduce() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "glooRing";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    int size = shape.size();
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    GlooSegments segments = GlooSegments.ofAllreduce(shape);
    int passed = segments.all() - segments.ofRank();
    for (int i = 0; i < passed; i++) {
      Range sent = segments.segment(rank + 1, i);
      program.send(left, i < segments.ofRank() ? program.own(sent) : sent);
      program.recvReduceOwn(right, segments.segment(rank + 2, i), Order.TARGET_FIRST);
    }
    for (int i = 0; i < passed; i++) {
      program.send(left, segments.segment(rank, i));
      program.recv(right, segments.segment(rank + 1, i));
    }
    if (size == 1) {
      program.copyOwn(segments.chunk(0));
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    GlooSegments segments = GlooSegments.ofAllreduce(shape);
    long messages = 2L * (segments.all() - segments.ofRank());
    long bytes = Math.min(messages * segments.segmentBytes(), 2 * shape.bytes());
    long chunk = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    Cost cost = new Cost(messages, messages, bytes, bytes, others * chunk);
    return Ring.overlapping(cost, 2 * others, segments.ofRank());
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
