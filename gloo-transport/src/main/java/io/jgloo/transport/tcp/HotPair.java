package io.jgloo.transport.tcp;

/**
 * The pair a receive was posted on last: its socket is the one to look at first.
 *
 * <p>One read finds a message 0.1 to 0.4 us sooner than a poll and a read.
 *
 * <p><i>Threads</i>: {@link #tryRead} by the one that drives, the rest under the mesh's lock.
 */
final class HotPair {

  private final TcpMesh mesh;
  private TcpPair pair;

  HotPair(TcpMesh mesh) {
    this.mesh = mesh;
  }

  /** A receive waits for this pair. */
  void expect(TcpPair expected) {
    pair = expected;
  }

  /** Whether there is such a pair; a stale answer costs one poll. */
  boolean exists() {
    return pair != null;
  }

  /** Reads that pair's socket without asking first; whether bytes came. */
  boolean tryRead() {
    mesh.lockToDrive();
    try {
      TcpPair hot = pair;
      if (hot == null || hot.link() == null || mesh.hasEnded() || !hot.inbox().matching().waits()) {
        pair = null;
        return false;
      }
      long before = mesh.traffic().bytesIn();
      hot.link().readable = true;
      hot.ready();
      return mesh.traffic().bytesIn() != before;
    } finally {
      mesh.unlockToDrive();
    }
  }
}
