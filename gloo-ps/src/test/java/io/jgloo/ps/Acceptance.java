package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * The example of ps-lite's walk-through: 10,000 keys, 50 pushes of which 10 are outstanding, a
 * pull, and 50 calls that push and pull.
 */
final class Acceptance {

  static final int APP = 0;
  static final int REPEATS = 50;
  private static final int OUTSTANDING = 10;

  private Acceptance() {}

  /** Registers the server's part, if the node is a server. */
  static void serve(PsNode node, Role role, int shards) {
    if (role == Role.SERVER) {
      KvServer.open(
          node,
          APP,
          ValueType.FLOATS,
          ServerOptions.DEFAULTS.withShards(shards),
          shard -> Handles.sum(ValueType.FLOATS, 1));
    }
  }

  /** Keys of a worker, spread over all unsigned numbers. */
  static long[] keys(int count, int rank) {
    long[] keys = new long[count];
    long step = Long.divideUnsigned(-1L, count);
    for (int i = 0; i < count; i++) {
      keys[i] = step * i + rank;
    }
    return keys;
  }

  /** Runs the worker's part, and requires that both errors are exactly 0. */
  static void run(KvWorker<float[]> worker, int count, int rank) {
    long[] keys = keys(count, rank);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % 1000;
    }
    List<Long> pushes = new ArrayList<>();
    for (int i = 0; i < REPEATS; i++) {
      pushes.add(worker.push(keys, values));
      if (i > OUTSTANDING) {
        worker.waitFor(pushes.get(pushes.size() - OUTSTANDING));
      }
    }
    pushes.forEach(worker::waitFor);
    float[] pulled = new float[count];
    worker.waitFor(worker.pull(keys, pulled));
    assertEquals(0, error(pulled, values, REPEATS), "error of the pull");
    float[] outs = new float[count];
    for (int i = 0; i < REPEATS; i++) {
      worker.waitFor(worker.pushPull(keys, values, outs));
    }
    assertEquals(0, error(outs, values, 2 * REPEATS), "error of push and pull");
  }

  private static double error(float[] actual, float[] values, int factor) {
    double sum = 0;
    for (int i = 0; i < actual.length; i++) {
      sum += Math.abs(actual[i] - factor * values[i]);
    }
    return sum / factor;
  }
}
