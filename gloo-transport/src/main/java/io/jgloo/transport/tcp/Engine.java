package io.jgloo.transport.tcp;

import io.jgloo.transport.Baton;
import io.jgloo.transport.Placement;
import io.jgloo.transport.engine.Platform;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Moves a mesh's bytes in the thread that waits: a few direct reads, then polls of all pairs, then
 * a blocking poll.
 *
 * <p><i>Threads</i>: the holder of the baton polls; the mesh's lock is taken only to handle what
 * has become ready, never while blocking.
 */
final class Engine implements Baton.Drive {

  /** Longest blocking poll, so that interrupts and closing are seen. */
  private static final long BLOCK_NANOS = 50_000_000L;

  /** Polls before the thread offers its core to others at each further one. */
  private static final int EAGER_POLLS = 6;

  /** Look at the clock every so many polls. */
  private static final int CLOCK_MASK = 0x07;

  private final TcpMesh mesh;
  private final Platform platform;
  private final Poller poller;
  private final Baton baton;
  private final int pollMask;
  private final long spinNanos;
  private final Placement placement;
  private final Batch batch;
  private final Queue<Link> newcomers = new ConcurrentLinkedQueue<>();
  private boolean closed;
  private volatile boolean driven;

  Engine(TcpMesh mesh, Poller poller, Settings settings) {
    this.mesh = mesh;
    this.poller = poller;
    platform = mesh.device().platform();
    spinNanos = settings.spinNanos();
    placement = settings.spreads() ? Placement.spreading(mesh::localSize) : Placement.kernels();
    // With one peer, its socket is all there is to look at; a poll now and then sees the rest.
    pollMask = mesh.size() == 2 ? 7 : 1;
    baton = new Baton(this, platform, spinNanos);
    batch = new Batch(mesh);
  }

  Baton baton() {
    return baton;
  }

  /** What is to be sent before anybody blocks. */
  Batch batch() {
    return batch;
  }

  Poller poller() {
    return poller;
  }

  /** Has a connection polled from the next round on; any thread that holds the mesh's lock. */
  void adopt(Link link) {
    newcomers.add(link);
    poller.wakeup();
  }

  private void addNewcomers() {
    for (Link link = newcomers.poll(); link != null; link = newcomers.poll()) {
      try {
        poller.add(link);
      } catch (IOException e) {
        ((TcpPair) link.owner).cannotPoll(e);
      }
    }
  }

  /** Whether a thread has driven since the last time this was asked. */
  boolean wasDriven() {
    boolean was = driven;
    driven = false;
    return was;
  }

  /** One non-blocking round, if nobody else is at it. */
  void progress() {
    if (baton.take()) {
      try {
        if (mesh.hotPair().isBroken()) {
          mesh.hotPair().tryRead();
        }
        round(0);
      } finally {
        baton.release();
      }
    }
  }

  @Override
  public void step(Baton.Wish wish, long deadlineNanos) {
    long quietSince = platform.nanoTime();
    driven = true;
    for (int i = 1; !closed; i++) {
      if (batch.isDue(i)) {
        batch.flushToDrive();
      }
      boolean hot = (i & pollMask) != 0 && mesh.hotPair().exists();
      boolean active = hot ? mesh.hotPair().tryRead() : round(0);
      if (wish.cameTrue()) {
        return;
      }
      if (active) {
        quietSince = platform.nanoTime();
        if (quietSince - deadlineNanos >= 0) {
          return; // others' messages may never leave us a quiet moment
        }
        i = 0;
        continue;
      }
      if (i > EAGER_POLLS) {
        placement.offer();
      }
      if ((i & CLOCK_MASK) == 0) {
        long now = platform.nanoTime();
        if (now - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
          return;
        }
        if (now - quietSince >= spinNanos) {
          if (!batch.isEmpty()) {
            batch.flushToDrive(); // nobody looks while it blocks
          }
          round(Math.min(deadlineNanos - now, BLOCK_NANOS));
          return;
        }
      }
    }
  }

  @Override
  public void wakeup() {
    poller.wakeup();
  }

  private boolean round(long timeoutNanos) {
    if (closed) {
      return false;
    }
    if (!newcomers.isEmpty()) {
      addNewcomers();
    }
    poller.poll(timeoutNanos);
    List<Pollable> ready = poller.ready;
    if (ready.isEmpty()) {
      return false;
    }
    mesh.lock();
    try {
      for (int i = 0; i < ready.size(); i++) {
        Pollable pollable = ready.get(i);
        pollable.listed = false;
        pollable.absorb();
        ((TcpPair) pollable.owner).ready();
      }
    } finally {
      mesh.unlockToDrive();
      ready.clear();
    }
    return true;
  }

  /** Ends polling for good; the caller holds the baton. */
  void close() {
    closed = true;
    poller.close();
  }
}
