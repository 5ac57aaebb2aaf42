package io.jgloo.examples.consumer;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Reduces among four ranks, which are threads: {@code Sum STORE-URL}. */
public final class Sum {

  private static final int RANKS = 4;

  private Sum() {}

  /** Prints one line for each rank. */
  public static void main(String[] args) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      List<Future<float[]>> sums = new ArrayList<>();
      for (int i = 0; i < RANKS; i++) {
        int rank = i;
        sums.add(threads.submit(() -> sum(rank, args[0])));
      }
      for (int rank = 0; rank < RANKS; rank++) {
        float[] sum = sums.get(rank).get(150, TimeUnit.SECONDS);
        System.out.println("rank " + rank + ": " + Arrays.toString(sum));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static float[] sum(int rank, String store) {
    try (ProcessGroup group =
        ProcessGroup.builder().rank(rank).size(RANKS).store(store).connect()) {
      float[] vector = {rank, 1, 2};
      group.allreduce(vector, ReduceOp.SUM);
      return vector;
    }
  }
}
