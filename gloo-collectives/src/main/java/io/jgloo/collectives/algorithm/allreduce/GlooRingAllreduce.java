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
 *
 * <p>Drawn: allreduce glooRing, 3 ranks, 6 elements.
 *
 * <pre>{@code
 *           rank 0              rank 1              rank 2
 * round 1   c>2 +e<1 d>2 +f<1   e>0 +a<2 f>0 +b<2   a>1 +c<0 b>1 +d<0
 * round 2   e>2 +a<1 f>2 +b<1   a>0 +c<2 b>0 +d<2   c>1 +e<0 d>1 +f<0
 * round 3   a>2 c<1 b>2 d<1     c>0 e<2 d>0 f<2     e>1 a<0 f>1 b<0
 * round 4   c>2 e<1 d>2 f<1     e>0 a<2 f>0 b<2     a>1 c<0 b>1 d<0
 * }</pre>
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
