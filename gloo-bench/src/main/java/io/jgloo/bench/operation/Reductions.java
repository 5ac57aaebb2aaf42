package io.jgloo.bench.operation;

import io.jgloo.bench.operation.VectorOperation.Block.Content;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reductions of all ranks' elements, computed once for the ranks that are threads of a process:
 * an element takes a step for each rank, so that hundreds of ranks on few cores computed for a
 * minute what they compared in a moment.
 *
 * <p><i>Threads</i>: any.
 */
final class Reductions {

  /** Tables that are kept, of 1 MiB each at most: ranks may be a round apart. */
  private static final int KEPT = 4;

  private record Key(Values values, int round, int length) {}

  private final Map<Key, long[]> tables = new ConcurrentHashMap<>();

  /** What a vector of so many elements must contain; used by one thread. */
  Content of(Values values, long count) {
    int length = (int) Math.min(Pattern.PERIOD, count);
    return new Content() {
      private Key key;
      private long[] table;

      @Override
      public long bits(long index, int round) {
        if (key == null || key.round != round) {
          key = new Key(values, round, length);
          table = table(key);
        }
        return table[(int) index];
      }
    };
  }

  private long[] table(Key key) {
    if (tables.size() >= KEPT && !tables.containsKey(key)) {
      tables.clear();
    }
    return tables.computeIfAbsent(key, Reductions::computed);
  }

  private static long[] computed(Key key) {
    long[] table = new long[key.length];
    for (int index = 0; index < table.length; index++) {
      table[index] = key.values.reduced(index, key.round);
    }
    return table;
  }
}
