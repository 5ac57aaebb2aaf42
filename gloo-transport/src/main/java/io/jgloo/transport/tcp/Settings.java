package io.jgloo.transport.tcp;

/**
 * What of a device's attributes its meshes need.
 *
 * @param eagerBytes longest message sent without being asked for
 * @param windowBytes most a peer may send without being asked for; what we are ready to hold for it
 * @param spinNanos how long a waiting thread polls before it blocks; negative: chosen by the ranks
 *     on this host and its cores
 * @param congestion congestion control for peers on this host: a name, or null for the system's
 */
record Settings(long eagerBytes, long windowBytes, long spinNanos, String congestion) {

  /** Every rank has a core of its own: a message comes within this or not soon. */
  private static final long SPIN_ALONE_NANOS = 50_000;

  /** Ranks share cores: whoever spins takes the time its peer needs. */
  private static final long SPIN_SHARED_NANOS = 5_000;

  /** The spin budget for this many ranks on this host. */
  long spinNanos(int localRanks) {
    if (spinNanos >= 0) {
      return spinNanos;
    }
    return localRanks <= Runtime.getRuntime().availableProcessors()
        ? SPIN_ALONE_NANOS
        : SPIN_SHARED_NANOS;
  }
}
