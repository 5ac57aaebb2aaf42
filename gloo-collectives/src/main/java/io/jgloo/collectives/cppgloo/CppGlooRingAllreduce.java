package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Ring allreduce in exactly the messages of Gloo's: for groups in which ranks of both take part.
 *
 * <p>The association is that of {@code ring}, so results have the same bits where chunks are cut
 * alike; the segments of a chunk follow each other through each step. 2(P-1) steps.
 */
record CppGlooRingAllreduce() implements CppGlooAlgorithm {
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
    CppGlooSegments segments = CppGlooSegments.ofAllreduce(shape);
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
}
