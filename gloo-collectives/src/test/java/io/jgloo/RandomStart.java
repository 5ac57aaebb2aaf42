package io.jgloo;

/** A random call that is started. */
final class RandomStart {

  private final RandomCase random;
  private final ProcessGroup group;
  private final Payload input;
  private final Payload output;
  private final boolean inPlace;

  RandomStart(
      RandomCase random, ProcessGroup group, Payload input, Payload output, boolean inPlace) {
    this.random = random;
    this.group = group;
    this.input = input;
    this.output = output;
    this.inPlace = inPlace;
  }

  Work start() {
    ReduceOp op = random.elements.op();
    int root = random.root;
    long[] counts = random.sent(group.rank());
    return switch (random.collective) {
      case BARRIER -> group.barrierAsync();
      case ALLREDUCE ->
          inPlace ? group.allreduceAsync(output, op) : group.allreduceAsync(input, output, op);
      case REDUCE ->
          inPlace
              ? group.reduceAsync(output, op, root)
              : group.reduceAsync(input, output, op, root);
      case SCAN -> inPlace ? group.scanAsync(output, op) : group.scanAsync(input, output, op);
      case EXSCAN -> inPlace ? group.exscanAsync(output, op) : group.exscanAsync(input, output, op);
      case REDUCE_SCATTER ->
          inPlace
              ? group.reduceScatterAsync(output, op)
              : group.reduceScatterAsync(input, output, op);
      case REDUCE_SCATTERV ->
          inPlace
              ? group.reduceScattervAsync(output, counts, op)
              : group.reduceScattervAsync(input, output, counts, op);
      case BROADCAST ->
          inPlace ? group.broadcastAsync(output, root) : group.broadcastAsync(input, output, root);
      case ALLGATHER ->
          inPlace ? group.allgatherAsync(output) : group.allgatherAsync(input, output);
      case ALLGATHERV ->
          inPlace
              ? group.allgathervAsync(output, counts)
              : group.allgathervAsync(input, output, counts);
      case GATHER ->
          inPlace ? group.gatherAsync(output, root) : group.gatherAsync(input, output, root);
      case GATHERV ->
          inPlace
              ? group.gathervAsync(output, counts, root)
              : group.gathervAsync(input, output, counts, root);
      case SCATTER ->
          inPlace ? group.scatterAsync(output, root) : group.scatterAsync(input, output, root);
      case SCATTERV ->
          inPlace
              ? group.scattervAsync(output, counts, root)
              : group.scattervAsync(input, output, counts, root);
      case ALLTOALL -> inPlace ? group.alltoallAsync(output) : group.alltoallAsync(input, output);
      case ALLTOALLV ->
          inPlace
              ? group.alltoallvAsync(output, counts)
              : group.alltoallvAsync(input, counts, output, random.received(group.rank()));
    };
  }
}
