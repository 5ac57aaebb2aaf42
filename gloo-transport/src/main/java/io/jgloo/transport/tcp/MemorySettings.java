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

  /**
   * More than a processor's own cache: a line that is written again after so many others has left
   * the cache of the peer that has read it. 64 KiB take 3.5 us with this and 9 with a quarter.
   */
  private static final long MOST_BYTES = 2 << 20;

  /** Of files in /dev/shm, which is small in containers. */
  private static final long MOST_NAMED_BYTES = 512 << 10;

  private static final long LEAST_BYTES = 64 << 10;

  /**
   * Bytes of each ring.
   *
   * @param localRanks of the host, this one included
   * @param file whether the segment is a file in /dev/shm
   */
  long ringBytes(int localRanks, boolean file) {
    if (ringBytes > 0) {
      return ringBytes;
    }
    long share = ALL_RINGS_BYTES / Math.max(1, localRanks - 1);
    long most = file ? MOST_NAMED_BYTES : MOST_BYTES;
    return Math.max(LEAST_BYTES, Math.min(most, Long.highestOneBit(share)));
  }
}
