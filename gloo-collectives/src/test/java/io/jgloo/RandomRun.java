package io.jgloo;

import io.jgloo.collectives.ReduceOp;

/** A random call that is made at once. */
final class RandomRun {

  private final RandomCase random;
  private final ProcessGroup group;
  private final Payload input;
  private final Payload output;
  private final ReduceOp op;
  private final int root;
  private final long[] counts;
  private final long[] received;

  RandomRun(RandomCase random, ProcessGroup group, Payload input, Payload output) {
    this.random = random;
    this.group = group;
    this.input = input;
    this.output = output;
    op = random.elements.op();
    root = random.root;
    counts = random.sent(group.rank());
    received = random.received(group.rank());
  }

  void inPlace() {
    switch (random.collective) {
      case BARRIER -> group.barrier();
      case ALLREDUCE -> group.allreduce(output, op);
      case REDUCE -> group.reduce(output, op, root);
      case SCAN -> group.scan(output, op);
      case EXSCAN -> group.exscan(output, op);
      case REDUCE_SCATTER -> group.reduceScatter(output, op);
      case REDUCE_SCATTERV -> group.reduceScatterv(output, counts, op);
      case BROADCAST -> group.broadcast(output, root);
      case ALLGATHER -> group.allgather(output);
      case ALLGATHERV -> group.allgatherv(output, counts);
      case GATHER -> group.gather(output, root);
      case GATHERV -> group.gatherv(output, counts, root);
      case SCATTER -> group.scatter(output, root);
      case SCATTERV -> group.scatterv(output, counts, root);
      case ALLTOALL -> group.alltoall(output);
      case ALLTOALLV -> group.alltoallv(output, counts);
    }
  }

  void outOfPlace() {
    switch (random.collective) {
      case BARRIER -> group.barrier();
      case ALLREDUCE -> group.allreduce(input, output, op);
      case REDUCE -> group.reduce(input, output, op, root);
      case SCAN -> group.scan(input, output, op);
      case EXSCAN -> group.exscan(input, output, op);
      case REDUCE_SCATTER -> group.reduceScatter(input, output, op);
      case REDUCE_SCATTERV -> group.reduceScatterv(input, output, counts, op);
      case BROADCAST -> group.broadcast(input, output, root);
      case ALLGATHER -> group.allgather(input, output);
      case ALLGATHERV -> group.allgatherv(input, output, counts);
      case GATHER -> group.gather(input, output, root);
      case GATHERV -> group.gatherv(input, output, counts, root);
      case SCATTER -> group.scatter(input, output, root);
      case SCATTERV -> group.scatterv(input, output, counts, root);
      case ALLTOALL -> group.alltoall(input, output);
      case ALLTOALLV -> group.alltoallv(input, counts, output, received);
    }
  }
}
