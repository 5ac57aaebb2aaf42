package io.jgloo.ps.kv;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides which server holds a key; the same at all nodes of an application. {@code toString} names
 * it in snapshots.
 */
public interface Slicer {

  /**
   * Ranges of equal length: server r of S has the keys from r times floor((2^64 - 1) / S) on, and
   * the last one all keys to 2^64 - 1.
   */
  Slicer RANGE =
      new Slicer() {
        @Override
        public int server(long key, int servers) {
          long step = Long.divideUnsigned(-1L, servers);
          return (int) Math.min(servers - 1, Long.divideUnsigned(key, step));
        }

        @Override
        public boolean isMonotone() {
          return true;
        }

        @Override
        public String toString() {
          return "RANGE";
        }
      };

  /** By a hash of the key, which spreads keys that are close to each other. */
  Slicer HASH =
      new Slicer() {
        @Override
        public int server(long key, int servers) {
          return (int) Long.remainderUnsigned(mix(key), servers);
        }

        @Override
        public String toString() {
          return "HASH";
        }
      };

  /**
   * The server of a key.
   *
   * @param key unsigned
   * @return 0 to servers - 1
   */
  int server(long key, int servers);

  /** Whether a larger key never has a server of lower rank, so that slices are contiguous. */
  default boolean isMonotone() {
    return false;
  }

  /** The greatest key, unsigned. */
  long LAST_KEY = -1L;

  /** Keys that follow each other, unsigned, both included. */
  record Range(long first, long last) {}

  /** The keys of each server by {@link #RANGE}, in the order of their ranks. */
  static List<Range> ranges(int servers) {
    return IntStream.range(0, servers)
        .mapToObj(
            server ->
                new Range(
                    firstKey(server, servers),
                    server == servers - 1 ? LAST_KEY : firstKey(server + 1, servers) - 1))
        .toList();
  }

  /** The first key of a server by {@link #RANGE}. */
  static long firstKey(int server, int servers) {
    return server * Long.divideUnsigned(-1L, servers);
  }

  private static long mix(long key) {
    long mixed = (key ^ (key >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
