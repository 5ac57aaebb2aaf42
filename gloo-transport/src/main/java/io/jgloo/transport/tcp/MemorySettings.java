package io.jgloo.transport.tcp;

/**
 * Whether and how ranks of one host share memory.
 *
 * @param use whether they do
 * @param named whether segments are files in /dev/shm at once, not memfds first
 * @param ringBytes of each ring; 0: by the number of local ranks
 */
record MemorySettings(Use use, boolean named, long ringBytes) {

  /** The attribute {@code memory}. */
  enum Use {
    OFF,
    AUTO,
    REQUIRE
  }

  static final MemorySettings NONE = new MemorySettings(Use.OFF, false, 0);

  private static final long ALL_RINGS_BYTES = 8 << 20;
  private static final long MOST_BYTES = 512 << 10;
  private static final long LEAST_BYTES = 64 << 10;

  /** Bytes of each ring of a rank with this many ranks on its host, itself included. */
  long ringBytes(int localRanks) {
    if (ringBytes > 0) {
      return ringBytes;
    }
    long share = ALL_RINGS_BYTES / Math.max(1, localRanks - 1);
    return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Long.highestOneBit(share)));
  }
}
