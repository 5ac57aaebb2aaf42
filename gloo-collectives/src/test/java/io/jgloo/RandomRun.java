package io.jgloo;

/** A random call that waits for its end. */
final class RandomRun {

  private final RandomCase random;
  private final ProcessGroup group;
  private final Payload input;
  private final Payload output;
  private final boolean inPlace;

  RandomRun(RandomCase random, ProcessGroup group, Payload input, Payload output, boolean inPlace) {
    this.random = random;
    this.group = group;
    this.input = input;
    this.output = output;
    this.inPlace = inPlace;
  }

  void run() {
    ReduceOp op = random.elements.op();
    int root = random.root;
    long[] counts = random.sent(group.rank());
    switch (random.collective) {
      case BARRIER -> group.barrier();
      case ALLREDUCE -> {
        if (inPlace) {
          group.allreduce(output, op);
        } else {
          group.allreduce(input, output, op);
        }
      }
      case REDUCE -> {
        if (inPlace) {
          group.reduce(output, op, root);
        } else {
          group.reduce(input, output, op, root);
        }
      }
      case SCAN -> {
        if (inPlace) {
          group.scan(output, op);
        } else {
          group.scan(input, output, op);
        }
      }
      case EXSCAN -> {
        if (inPlace) {
          group.exscan(output, op);
        } else {
          group.exscan(input, output, op);
        }
      }
      case REDUCE_SCATTER -> {
        if (inPlace) {
          group.reduceScatter(output, op);
        } else {
          group.reduceScatter(input, output, op);
        }
      }
      case REDUCE_SCATTERV -> {
        if (inPlace) {
          group.reduceScatterv(output, counts, op);
        } else {
          group.reduceScatterv(input, output, counts, op);
        }
      }
      case BROADCAST -> {
        if (inPlace) {
          group.broadcast(output, root);
        } else {
          group.broadcast(input, output, root);
        }
      }
      case ALLGATHER -> {
        if (inPlace) {
          group.allgather(output);
        } else {
          group.allgather(input, output);
        }
      }
      case ALLGATHERV -> {
        if (inPlace) {
          group.allgatherv(output, counts);
        } else {
          group.allgatherv(input, output, counts);
        }
      }
      case GATHER -> {
        if (inPlace) {
          group.gather(output, root);
        } else {
          group.gather(input, output, root);
        }
      }
      case GATHERV -> {
        if (inPlace) {
          group.gatherv(output, counts, root);
        } else {
          group.gatherv(input, output, counts, root);
        }
      }
      case SCATTER -> {
        if (inPlace) {
          group.scatter(output, root);
        } else {
          group.scatter(input, output, root);
        }
      }
      case SCATTERV -> {
        if (inPlace) {
          group.scatterv(output, counts, root);
        } else {
          group.scatterv(input, output, counts, root);
        }
      }
      case ALLTOALL -> {
        if (inPlace) {
          group.alltoall(output);
        } else {
          group.alltoall(input, output);
        }
      }
      case ALLTOALLV -> {
        if (inPlace) {
          group.alltoallv(output, counts);
        } else {
          group.alltoallv(input, counts, output, random.received(group.rank()));
        }
      }
    }
  }
}
