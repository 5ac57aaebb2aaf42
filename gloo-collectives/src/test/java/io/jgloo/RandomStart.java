package io.jgloo;

import io.jgloo.collectives.ReduceOp;

/** A random call that is started. */
final class RandomStart {

  private final RandomCase random;
  private final ProcessGroup group;
  private final Payload input;
  private final Payload output;
  private final ReduceOp op;
  private final int root;
  private final long[] counts;
  private final long[] received;

  RandomStart(RandomCase random, ProcessGroup group, Payload input, Payload output) {
    this.random = random;
    this.group = group;
    this.input = input;
    this.output = output;
    op = random.elements.op();
    root = random.root;
    counts = random.sent(group.rank());
    received = random.received(group.rank());
  }

  Work inPlace() {
    return switch (random.collective) {
      case BARRIER -> group.barrierAsync();
      case ALLREDUCE -> group.allreduceAsync(output, op);
      case REDUCE -> group.reduceAsync(output, op, root);
      case SCAN -> group.scanAsync(output, op);
      case EXSCAN -> group.exscanAsync(output, op);
      case REDUCE_SCATTER -> group.reduceScatterAsync(output, op);
      case REDUCE_SCATTERV -> group.reduceScattervAsync(output, counts, op);
      case BROADCAST -> group.broadcastAsync(output, root);
      case ALLGATHER -> group.allgatherAsync(output);
      case ALLGATHERV -> group.allgathervAsync(output, counts);
      case GATHER -> group.gatherAsync(output, root);
      case GATHERV -> group.gathervAsync(output, counts, root);
      case SCATTER -> group.scatterAsync(output, root);
      case SCATTERV -> group.scattervAsync(output, counts, root);
      case ALLTOALL -> group.alltoallAsync(output);
      case ALLTOALLV -> group.alltoallvAsync(output, counts);
    };
  }

  Work outOfPlace() {
    return switch (random.collective) {
      case BARRIER -> group.barrierAsync();
      case ALLREDUCE -> group.allreduceAsync(input, output, op);
      case REDUCE -> group.reduceAsync(input, output, op, root);
      case SCAN -> group.scanAsync(input, output, op);
      case EXSCAN -> group.exscanAsync(input, output, op);
      case REDUCE_SCATTER -> group.reduceScatterAsync(input, output, op);
      case REDUCE_SCATTERV -> group.reduceScattervAsync(input, output, counts, op);
      case BROADCAST -> group.broadcastAsync(input, output, root);
      case ALLGATHER -> group.allgatherAsync(input, output);
      case ALLGATHERV -> group.allgathervAsync(input, output, counts);
      case GATHER -> group.gatherAsync(input, output, root);
      case GATHERV -> group.gathervAsync(input, output, counts, root);
      case SCATTER -> group.scatterAsync(input, output, root);
      case SCATTERV -> group.scattervAsync(input, output, counts, root);
      case ALLTOALL -> group.alltoallAsync(input, output);
      case ALLTOALLV -> group.alltoallvAsync(input, counts, output, received);
    };
  }
}
