package io.jgloo.djl;

import ai.djl.training.dataset.RandomAccessDataset;
import ai.djl.training.dataset.Sampler;
import io.jgloo.gradient.DistributedSampler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The batches of one rank, of a data set that all ranks shuffle alike. */
final class RankSampler implements Sampler {

  private final int rank;
  private final int size;
  private final int batchSize;
  private final long seed;
  private int epoch;

  RankSampler(int rank, int size, int batchSize, long seed) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be positive, but is " + batchSize);
    }
    this.rank = rank;
    this.size = size;
    this.batchSize = batchSize;
    this.seed = seed;
  }

  @Override
  public Iterator<List<Long>> sample(RandomAccessDataset dataset) {
    int samples = Math.toIntExact(dataset.size());
    DistributedSampler sampler =
        DistributedSampler.of(samples, size, rank).shuffled(seed).droppingLast();
    List<Long> own = Arrays.stream(sampler.indices(epoch++)).asLongStream().boxed().toList();
    List<List<Long>> batches = new ArrayList<>();
    for (int start = 0; start < own.size(); start += batchSize) {
      batches.add(own.subList(start, Math.min(start + batchSize, own.size())));
    }
    return batches.iterator();
  }

  @Override
  public int getBatchSize() {
    return batchSize;
  }
}
