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
 * Ring reduce in exactly the messages of Gloo's: for groups in which ranks of both take part.
 *
 * <p>A reduce-scatter lap, then every rank sends its chunk to the root. Gloo's lap goes on for all
 * but two segments of the last chunk, which no rank needs: they are sent and received here too, but
 * not reduced. Chunks are single messages, whatever the shape's bound.
 */
record CppGlooRingReduce() implements CppGlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public String name() {
    return "glooRing";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    CppGlooSegments segments = CppGlooSegments.ofReduce(shape);
    if (shape.size() == 1) {
      program.copyOwn(segments.chunk(0));
      return program.schedule();
    }
    boolean root = rank == shape.root();
    reduceScatter(program, segments, rank, root ? Space.OUTPUT : Space.SCRATCH);
    if (!root) {
      program.send(shape.root(), segments.chunk(rank).in(Space.SCRATCH));
    }
    for (int other = 0; root && other < shape.size(); other++) {
      if (other != rank) {
        program.recv(other, segments.chunk(other));
      }
    }
    return program.schedule();
  }

  private static void reduceScatter(
      Program program, CppGlooSegments segments, int rank, Space place) {
    int left = (rank + segments.ranks() - 1) % segments.ranks();
    int right = (rank + 1) % segments.ranks();
    int needed = segments.all() - segments.ofRank();
    int passed = Math.max(needed, segments.all() - 2);
    for (int i = 0; i < passed; i++) {
      Range sent = segments.segment(rank + 1, i);
      program.send(left, i < segments.ofRank() ? program.own(sent) : sent.in(place));
      Range received = segments.segment(rank + 2, i);
      if (i < needed) {
        program.recvReduceOwn(right, received, received.in(place), Order.TARGET_FIRST);
      } else {
        long beyond = segments.bytes() + (i - needed) * segments.segmentBytes();
        program.recv(right, new Range(Space.SCRATCH, beyond, received.length()));
      }
    }
  }
}
