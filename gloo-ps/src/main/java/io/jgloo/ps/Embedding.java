package io.jgloo.ps;

import io.jgloo.ps.kv.KvCall;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * Rows of a table, one for each id: vectors of one length, looked up and changed by ids in any
 * order, which may be repeated.
 *
 * <p>Servers use a handle with as many values for each key, such as {@link
 * io.jgloo.ps.handle.Handles#optimizer}. <i>Threads</i>: any.
 */
public final class Embedding {

  private final KvWorker<float[]> worker;
  private final int dimension;

  /**
   * @param dimension length of a row
   * @throws IllegalArgumentException if it is not positive
   */
  public Embedding(KvWorker<float[]> worker, int dimension) {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be positive, is " + dimension);
    }
    this.worker = worker;
    this.dimension = dimension;
  }

  /** Length of a row. */
  public int dimension() {
    return dimension;
  }

  /**
   * Pulls rows.
   *
   * @return the row of each id, one after the other; the future is as that of {@link
   *     KvWorker#pushAsync}
   */
  public CompletableFuture<float[]> lookup(long[] ids, KvCall options) {
    long[] keys = distinct(ids);
    return worker
        .pullAsync(keys, options)
        .thenApply(
            result -> {
              float[] rows = result.values();
              if (rows.length != keys.length * dimension) {
                throw new IllegalStateException(
                    ("servers have " + rows.length + " values for " + keys.length + " rows of ")
                        + dimension);
              }
              float[] out = new float[ids.length * dimension];
              for (int i = 0; i < ids.length; i++) {
                System.arraycopy(
                    rows, dimension * index(keys, ids[i]), out, dimension * i, dimension);
              }
              return out;
            });
  }

  /**
   * Pushes gradients of rows; those of one id are added before.
   *
   * @param gradients of each id, one after the other
   * @return the future is as that of {@link KvWorker#pushAsync}
   * @throws IllegalArgumentException if there are more or fewer than the ids need
   */
  public CompletableFuture<Void> push(long[] ids, float[] gradients, KvCall options) {
    if (gradients.length != ids.length * dimension) {
      throw new IllegalArgumentException(
          ("gradients must have " + ids.length + " rows of " + dimension + ", have ")
              + (gradients.length + " values"));
    }
    long[] keys = distinct(ids);
    float[] sums = new float[keys.length * dimension];
    for (int i = 0; i < ids.length; i++) {
      int at = dimension * index(keys, ids[i]);
      for (int j = 0; j < dimension; j++) {
        sums[at + j] += gradients[dimension * i + j];
      }
    }
    return worker.pushAsync(keys, sums, options);
  }

  /** The ids in unsigned order, each once. */
  private static long[] distinct(long[] ids) {
    return Arrays.stream(ids)
        .map(id -> id ^ Long.MIN_VALUE)
        .sorted()
        .distinct()
        .map(id -> id ^ Long.MIN_VALUE)
        .toArray();
  }

  private static int index(long[] keys, long id) {
    int low = 0;
    int high = keys.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(keys[middle], id) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
