package io.jgloo.fault;

import io.jgloo.MessageBatch;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** One kind of collective call on so many bytes; every result that comes back is checked. */
interface Calls {

  /** Makes the call of a round; all ranks do. */
  void make(ProcessGroup group, int round);

  static Calls of(String kind, int bytes) {
    return of(kind, ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
  }

  static Calls of(String kind, ByteBuffer memory) {
    FloatBuffer vector = memory.asFloatBuffer();
    return switch (kind) {
      case "allreduce" -> (group, round) -> allreduce(group, vector, round);
      case "broadcast" -> (group, round) -> broadcast(group, vector, round);
      case "reduce", "reduceScatter", "gather", "scatter", "allgather", "alltoall" ->
          (group, round) -> new Blocks(kind, group, vector, round).call();
      case "batch" -> (group, round) -> batch(group, vector, round);
      case "barrier" -> (group, round) -> group.barrier();
      default -> throw new IllegalArgumentException("kind cannot be '" + kind + "'");
    };
  }

  /** Whether any rank wants to; all ranks hear the same. */
  static boolean anyWantsTo(boolean own, ProcessGroup group) {
    int[] votes = {own ? 1 : 0};
    group.allreduce(votes, ReduceOp.MAX);
    return votes[0] == 1;
  }

  private static void allreduce(ProcessGroup group, FloatBuffer vector, int round) {
    int size = group.size();
    for (int i = 0; i < vector.limit(); i++) {
      vector.put(i, group.rank() + (i + round) % 7);
    }
    group.allreduce(Payload.of(vector), ReduceOp.SUM);
    float ranks = size * (size - 1) / 2f;
    for (int i = 0; i < vector.limit(); i++) {
      check(i, round, ranks + size * ((i + round) % 7), vector.get(i));
    }
  }

  private static void broadcast(ProcessGroup group, FloatBuffer vector, int round) {
    int root = round % group.size();
    for (int i = 0; i < vector.limit(); i++) {
      vector.put(i, group.rank() == root ? (i + round) % 1001 : -1);
    }
    group.broadcast(Payload.of(vector), root);
    for (int i = 0; i < vector.limit(); i++) {
      check(i, round, (i + round) % 1001, vector.get(i));
    }
  }

  /** Each rank sends a block to each rank, odd ranks name the messages in the opposite order. */
  private static void batch(ProcessGroup group, FloatBuffer vector, int round) {
    int size = group.size();
    int count = vector.limit() / (2 * size);
    MessageBatch batch = group.batch();
    for (int i = 0; i < size; i++) {
      int peer = group.rank() % 2 == 0 ? i : size - 1 - i;
      for (int at = 0; at < count; at++) {
        vector.put(peer * count + at, group.rank() + (at + peer + round) % 7);
      }
      batch.send(Payload.of(vector.slice(peer * count, count)), peer, round);
      batch.recv(Payload.of(vector.slice((size + peer) * count, count)), peer, round);
    }
    batch.run();
    for (int i = 0; i < size * count; i++) {
      int expected = i / count + (i % count + group.rank() + round) % 7;
      check(i, round, expected, vector.get(size * count + i));
    }
  }

  static void check(int at, int round, float expected, float found) {
    if (expected != found) {
      throw new AssertionError(
          "element " + at + " of round " + round + " is " + found + ", not " + expected);
    }
  }
}
