package io.jgloo.transport.shm;

/**
 * The settings of the memory that ranks of one host share.
 *
 * @param use whether they do
 * @param named whether segments are files in /dev/shm at once, not memfds first
 * @param ringBytes of each ring; 0: by the number of local ranks
 */
public record MemorySettings(Use use, boolean named, long ringBytes) {

  /** The attribute {@code memory}. */
  public enum Use {
    OFF,
    AUTO,
    REQUIRE
  }

  public static final MemorySettings NONE = new MemorySettings(Use.OFF, false, 0);

  private static final long ALL_RINGS_BYTES = 8 << 20;
  private static final long MOST_BYTES = 512 << 10;
  private static final long LEAST_BYTES = 64 << 10;

  /**
   * Of the rings of a rank to all others, if they are few: more than a processor's own cache. A
   * line that is written again after so many others has left the cache of the peer that has read
   * it. Two ranks take 3.5 us for 64 KiB with this and 9 with a quarter. Four ranks on two cores
   * have more than enough: 512 KiB of each ring are as fast as 2 MiB or faster.
   */
  private static final long FEW_RINGS_BYTES = 2 << 20;

  /**
   * Bytes of each ring.
   *
   * @param localRanks of the host, this one included
   * @param file whether the segment is a file in /dev/shm, which is small in containers
   */
  public long ringBytes(int localRanks, boolean file) {
    if (ringBytes > 0) {
      return ringBytes;
    }
    int others = Math.max(1, localRanks - 1);
    long most = file ? MOST_BYTES : Math.max(MOST_BYTES, FEW_RINGS_BYTES / others);
    long share = Math.min(most, ALL_RINGS_BYTES / others);
    return Math.max(LEAST_BYTES, Long.highestOneBit(share));
  }
}
