package io.jgloo.fault;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.nio.FloatBuffer;

/** A call in which each rank has a block, or only one rank has the result. */
final class Blocks {
  private final String kind;
  private final ProcessGroup group;
  private final int round;
  private final int size;
  private final int rank;
  private final int root;

  /** Elements of a block. */
  private final int block;

  private final FloatBuffer input;
  private final FloatBuffer output;
  private final Payload sent;
  private final Payload received;

  /**
   * @param memory for input and output, half of it for each
   */
  Blocks(String kind, ProcessGroup group, FloatBuffer memory, int round) {
    this.kind = kind;
    this.group = group;
    this.round = round;
    size = group.size();
    rank = group.rank();
    root = round % size;
    int half = memory.limit() / 2;
    block = half / size;
    input = memory.slice(0, inputCount());
    output = memory.slice(half, outputCount());
    sent = Payload.of(input);
    received = Payload.of(output);
  }

  private int inputCount() {
    return switch (kind) {
      case "gather", "allgather" -> block;
      case "scatter" -> rank == root ? block * size : 0;
      default -> block * size;
    };
  }

  private int outputCount() {
    return switch (kind) {
      case "gather", "reduce" -> rank == root ? block * size : 0;
      case "scatter", "reduceScatter" -> block;
      default -> block * size;
    };
  }

  void call() {
    for (int i = 0; i < input.limit(); i++) {
      input.put(i, element(rank, i));
    }
    switch (kind) {
      case "reduce" -> group.reduce(sent, received, ReduceOp.SUM, root);
      case "reduceScatter" -> group.reduceScatter(sent, received, ReduceOp.SUM);
      case "gather" -> group.gather(sent, received, root);
      case "scatter" -> group.scatter(sent, received, root);
      case "allgather" -> group.allgather(sent, received);
      default -> group.alltoall(sent, received);
    }
    for (int i = 0; i < output.limit(); i++) {
      Calls.check(i, round, expected(i), output.get(i));
    }
  }

  private float element(int of, int at) {
    return of + (at + round) % 7;
  }

  private float expected(int at) {
    int own = rank * block;
    return switch (kind) {
      case "reduce" -> sum(at);
      case "reduceScatter" -> sum(own + at);
      case "gather", "allgather" -> element(at / block, at % block);
      case "scatter" -> element(root, own + at);
      default -> element(at / block, own + at % block);
    };
  }

  private float sum(int at) {
    return size * element(0, at) + size * (size - 1) / 2f;
  }
}
