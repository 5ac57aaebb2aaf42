package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/** PyTorch's reduce-scatter over Gloo: an allreduce of which each rank keeps its block. */
public record CppGlooSlicedReduceScatter() implements CppGlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.REDUCE_SCATTER;
  }

  @Override
  public String name() {
    return "glooSlicedRing";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    int size = shape.size();
    CppGlooSegments segments = CppGlooSegments.ofAllreduce(shape);
    Partition blocks = Partition.chunks(shape);
    if (size == 1) {
      program.copyOwn(blocks.part(0));
      return program.schedule();
    }
    Space place = shape.inPlace() ? Space.OUTPUT : Space.SCRATCH;
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    int passed = segments.all() - segments.ofRank();
    for (int i = 0; i < passed; i++) {
      Range sent = segments.segment(rank + 1, i);
      program.send(left, i < segments.ofRank() ? program.own(sent) : sent.in(place));
      Range received = segments.segment(rank + 2, i);
      program.recvReduceOwn(right, received, received.in(place), Order.TARGET_FIRST);
    }
    for (int i = 0; i < passed; i++) {
      program.send(left, segments.segment(rank, i).in(place));
      program.recv(right, segments.segment(rank + 1, i).in(place));
    }
    Range block = blocks.part(rank);
    program.copy(program.result(block), block.in(place));
    return program.schedule();
  }
}
