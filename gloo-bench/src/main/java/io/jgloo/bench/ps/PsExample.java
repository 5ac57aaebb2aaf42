package io.jgloo.bench.ps;

import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.kv.ValueType;
import java.util.ArrayDeque;

/**
 * The example of ps-lite: 10,000 keys, 50 pushes of which 10 are outstanding, a pull, and 50 calls
 * that push and pull.
 */
final class PsExample {

  private static final int KEYS = 10_000;
  private static final int REPEATS = 50;
  private static final int OUTSTANDING = 10;

  private PsExample() {}

  static void serve(PsNode node) {
    KvServer.open(node, 0, ValueType.FLOATS, shard -> Handles.sum(ValueType.FLOATS, 1));
  }

  /** Returns whether all values are right. */
  static boolean work(PsNode node) {
    KvWorker<float[]> worker = KvWorker.open(node, 0, ValueType.FLOATS);
    long[] keys = new long[KEYS];
    float[] values = new float[KEYS];
    long step = Long.divideUnsigned(-1L, KEYS);
    for (int i = 0; i < KEYS; i++) {
      keys[i] = step * i + node.id().rank();
      values[i] = i % 1000;
    }
    ArrayDeque<Long> outstanding = new ArrayDeque<>();
    for (int i = 0; i < REPEATS; i++) {
      outstanding.add(worker.push(keys, values));
      if (outstanding.size() > OUTSTANDING) {
        worker.waitFor(outstanding.poll());
      }
    }
    outstanding.forEach(worker::waitFor);
    float[] pulled = new float[KEYS];
    worker.waitFor(worker.pull(keys, pulled));
    float[] outs = new float[KEYS];
    for (int i = 0; i < REPEATS; i++) {
      worker.waitFor(worker.pushPull(keys, values, outs));
    }
    double pull = error(pulled, values, REPEATS);
    double both = error(outs, values, 2 * REPEATS);
    System.out.println(node.id() + ": error " + pull + " of pull, " + both + " of push and pull");
    return pull == 0 && both == 0;
  }

  private static double error(float[] actual, float[] values, int factor) {
    double sum = 0;
    for (int i = 0; i < actual.length; i++) {
      sum += Math.abs(actual[i] - factor * values[i]);
    }
    return sum / factor;
  }
}
