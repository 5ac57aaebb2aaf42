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
      case BARRIER -> group.async().barrier();
      case ALLREDUCE -> group.async().allreduce(output, op);
      case REDUCE -> group.async().reduce(output, op, root);
      case SCAN -> group.async().scan(output, op);
      case EXSCAN -> group.async().exscan(output, op);
      case REDUCE_SCATTER -> group.async().reduceScatter(output, op);
      case REDUCE_SCATTERV -> group.async().reduceScatterv(output, counts, op);
      case BROADCAST -> group.async().broadcast(output, root);
      case ALLGATHER -> group.async().allgather(output);
      case ALLGATHERV -> group.async().allgatherv(output, counts);
      case GATHER -> group.async().gather(output, root);
      case GATHERV -> group.async().gatherv(output, counts, root);
      case SCATTER -> group.async().scatter(output, root);
      case SCATTERV -> group.async().scatterv(output, counts, root);
      case ALLTOALL -> group.async().alltoall(output);
      case ALLTOALLV -> group.async().alltoallv(output, counts);
    };
  }

  Work outOfPlace() {
    return switch (random.collective) {
      case BARRIER -> group.async().barrier();
      case ALLREDUCE -> group.async().allreduce(input, output, op);
      case REDUCE -> group.async().reduce(input, output, op, root);
      case SCAN -> group.async().scan(input, output, op);
      case EXSCAN -> group.async().exscan(input, output, op);
      case REDUCE_SCATTER -> group.async().reduceScatter(input, output, op);
      case REDUCE_SCATTERV -> group.async().reduceScatterv(input, output, counts, op);
      case BROADCAST -> group.async().broadcast(input, output, root);
      case ALLGATHER -> group.async().allgather(input, output);
      case ALLGATHERV -> group.async().allgatherv(input, output, counts);
      case GATHER -> group.async().gather(input, output, root);
      case GATHERV -> group.async().gatherv(input, output, counts, root);
      case SCATTER -> group.async().scatter(input, output, root);
      case SCATTERV -> group.async().scatterv(input, output, counts, root);
      case ALLTOALL -> group.async().alltoall(input, output);
      case ALLTOALLV -> group.async().alltoallv(input, counts, output, received);
    };
  }
}
