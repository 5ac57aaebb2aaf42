package io.jgloo.djl;

import ai.djl.training.dataset.RandomAccessDataset;
import ai.djl.training.dataset.Sampler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** The batches of one rank, of a data set that all ranks shuffle alike. */
final class RankSampler implements Sampler {

  private final int rank;
  private final int size;
  private final int batchSize;
  private final Random random;

  RankSampler(int rank, int size, int batchSize, long seed) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be positive, but is " + batchSize);
    }
    this.rank = rank;
    this.size = size;
    this.batchSize = batchSize;
    random = new Random(seed);
  }

  @Override
  public Iterator<List<Long>> sample(RandomAccessDataset dataset) {
    List<Long> all = new ArrayList<>(LongStream.range(0, dataset.size()).boxed().toList());
    Collections.shuffle(all, random);
    List<List<Long>> batches = new ArrayList<>();
    int start = 0;
    while (all.size() - start >= size) {
      int own = Math.min(batchSize, (all.size() - start) / size);
      batches.add(all.subList(start + rank * own, start + (rank + 1) * own));
      start += own * size;
    }
    return batches.iterator();
  }

  @Override
  public int getBatchSize() {
    return batchSize;
  }
}
