package io.jgloo.transport.shm;

import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Poller;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The connections of a mesh that go through shared memory: no poller reports on them.
 *
 * <p><i>Threads</i>: the holder of the progress lock, but for {@link #roomWanted}, which is called
 * under the mesh's lock, and {@link #count}, by any. Links are unmapped by that holder, or after it
 * has removed them, so what it looks at is mapped.
 */
public final class MemoryLinks {

  private static final MemoryLink[] NONE = {};

  private final SharingMesh mesh;
  private final Poller poller;
  private final Consumer<Runnable> later;
  private volatile MemoryLink[] links = NONE;
  private volatile boolean blocking;

  /**
   * @param later has the holder of the progress lock do something in its next round
   */
  public MemoryLinks(SharingMesh mesh, Poller poller, Consumer<Runnable> later) {
    this.later = later;
    this.mesh = mesh;
    this.poller = poller;
  }

  public int count() {
    return links.length;
  }

  /** Looks at a connection, if it goes through memory. */
  public void add(Link added) {
    if (!(added instanceof MemoryLink link)) {
      return;
    }
    MemoryLink[] before = links;
    MemoryLink[] now = new MemoryLink[before.length + 1];
    System.arraycopy(before, 0, now, 0, before.length);
    now[before.length] = link;
    link.lookedAtBy(this);
    links = now;
  }

  /** Looks at a connection no more, if it goes through memory. */
  public void remove(Link removed) {
    if (!(removed instanceof MemoryLink link)) {
      return;
    }
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
  public boolean findTruncated(InternalError error) {
    boolean found = false;
    for (MemoryLink link : links) {
      found |= link.isLookedAt() && link.findTruncated(error);
    }
    return found;
  }

  /** Serves those that have bytes, room or an end; returns whether there were any. */
  public boolean look() {
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
      boolean current =
          link.descriptor().owner instanceof SharingPair stream && stream.link() == link;
      if (mesh.hasEnded() || !current) {
        return false; // it has ended, and is removed in the next poll
      }
      link.takeNews();
      ((SharingPair) link.descriptor().owner).ready();
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
  public boolean park() {
    blocking = true;
    VarHandle.fullFence(); // pairs with the one in roomWanted
    boolean quiet = true;
    for (MemoryLink link : links) {
      quiet &= link.park();
    }
    return quiet;
  }

  public void unpark() {
    blocking = false;
    for (MemoryLink link : links) {
      link.unpark();
    }
  }

  /** Unmaps the memory of a link that is closed in the next round. */
  void releaseLater(MemoryLink link) {
    later.accept(
        () -> {
          remove(link);
          link.release();
        });
  }

  /** A write found too little room: a thread that is blocked must wait for room from now on. */
  void roomWanted() {
    VarHandle.fullFence(); // the link is marked as not writable before that is asked
    if (blocking) {
      poller.wakeup();
    }
  }
}
