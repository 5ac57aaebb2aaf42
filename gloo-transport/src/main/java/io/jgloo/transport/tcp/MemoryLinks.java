package io.jgloo.transport.tcp;

import io.jgloo.transport.memory.OrderedMemory;
import io.jgloo.transport.tcp.socket.Poller;
import java.util.Arrays;

/**
 * The connections of a mesh that go through shared memory: no poller reports on them.
 *
 * <p><i>Threads</i>: the holder of the progress lock, but for {@link #roomWanted}, which is called
 * under the mesh's lock, and {@link #count}, by any. Links are unmapped by that holder, or after it
 * has removed them, so what it looks at is mapped.
 */
final class MemoryLinks {

  private static final MemoryLink[] NONE = {};

  private final TcpMesh mesh;
  private final Poller poller;
  private volatile MemoryLink[] links = NONE;
  private volatile boolean blocking;

  MemoryLinks(TcpMesh mesh, Poller poller) {
    this.mesh = mesh;
    this.poller = poller;
  }

  int count() {
    return links.length;
  }

  void add(MemoryLink link) {
    MemoryLink[] before = links;
    MemoryLink[] now = new MemoryLink[before.length + 1];
    System.arraycopy(before, 0, now, 0, before.length);
    now[before.length] = link;
    link.lookedAtBy(this);
    links = now;
  }

  void remove(MemoryLink link) {
    MemoryLink[] before = links;
    MemoryLink[] now = new MemoryLink[before.length];
    int count = 0;
    for (MemoryLink each : before) {
      if (each != link) {
        now[count++] = each;
      }
    }
    if (count < before.length) {
      links = count == 0 ? NONE : Arrays.copyOf(now, count);
      link.lookedAtBy(null);
    }
  }

  /** Marks links whose memory was truncated, which their next read reports; false: none is new. */
  boolean findTruncated(InternalError error) {
    boolean found = false;
    for (MemoryLink link : links) {
      found |= link.isLookedAt() && link.findTruncated(error);
    }
    return found;
  }

  /** Serves those that have bytes, room or an end; returns whether there were any. */
  boolean look() {
    MemoryLink[] all = links;
    boolean found = false;
    for (int i = 0; i < all.length; i++) {
      if (all[i].isLookedAt() && all[i].isReady()) {
        found |= serve(all[i]);
      }
    }
    return found;
  }

  private boolean serve(MemoryLink link) {
    mesh.lock();
    try {
      boolean current = link.descriptor().owner instanceof Stream stream && stream.link() == link;
      if (mesh.hasEnded() || !current) {
        return false; // it has ended, and is removed in the next poll
      }
      link.takeNews();
      ((Stream) link.descriptor().owner).ready();
      return true;
    } finally {
      mesh.unlockInProgress();
    }
  }

  /**
   * Asks all peers for wake-ups before the thread blocks.
   *
   * @return whether it may block; it calls {@link #unpark} afterwards in any case
   */
  boolean park() {
    blocking = true;
    OrderedMemory.fullFence(); // pairs with the one in roomWanted
    boolean quiet = true;
    for (MemoryLink link : links) {
      quiet &= link.park();
    }
    return quiet;
  }

  void unpark() {
    blocking = false;
    for (MemoryLink link : links) {
      link.unpark();
    }
  }

  /** Unmaps the memory of a link that is closed in the next round. */
  void releaseLater(MemoryLink link) {
    mesh.source()
        .later(
            () -> {
              remove(link);
              link.release();
            });
  }

  /** A write found too little room: a thread that is blocked must wait for room from now on. */
  void roomWanted() {
    OrderedMemory.fullFence(); // the link is marked as not writable before that is asked
    if (blocking) {
      poller.wakeup();
    }
  }
}
