package io.jgloo.transport.engine;

import io.jgloo.transport.CompletionQueue.Condition;
import io.jgloo.transport.library.VirtualThreads;

/**
 * Moves a mesh's bytes in the thread that waits: glances, then looks at everything, then a wait
 * that blocks.
 *
 * <p><i>Threads</i>: the holder of the progress lock looks; the mesh's lock is taken only to handle
 * what has become ready, never while blocking.
 */
public final class Progress implements ProgressLock.Drive {

  /** Longest wait that blocks, so that interrupts and closing are seen. */
  private static final long BLOCK_NANOS = 50_000_000L;

  /** The clock is read every so many looks, and when others have had the core for long. */
  private static final int CLOCK_MASK = 0x07;

  private final Platform platform;
  private final Source source;
  private final ProgressLock lock;
  private final long spinNanos;
  private final Placement placement;
  private final Batch batch;
  private boolean closed;
  private volatile boolean driven;

  Progress(EngineMesh mesh, Source source, Platform platform, long spinNanos, boolean spreads) {
    this.platform = platform;
    this.source = source;
    this.spinNanos = spinNanos;
    placement =
        spreads ? Placement.spreading(platform, mesh::localSize) : Placement.kernels(platform);
    lock = new ProgressLock(this, platform, spinNanos);
    batch = mesh.batches() ? new Batch(mesh) : null;
  }

  /** The lock that the thread which makes progress holds. */
  public ProgressLock lock() {
    return lock;
  }

  /** Frames to be sent before a thread blocks; null if routes hold none back. */
  public Batch batch() {
    return batch;
  }

  /** Whether a thread makes progress, or has made some since the last time this was asked. */
  public boolean wasDriven() {
    boolean was = driven || lock.isHeld();
    driven = false;
    return was;
  }

  /** Looks once without blocking, if no other thread makes progress. */
  public void look() {
    if (lock.take()) {
      try {
        if (!closed) {
          source.look();
        }
      } finally {
        lock.release();
      }
    }
  }

  @Override
  public boolean step(Condition condition, EngineQueue queue, long deadlineNanos) {
    long quietSince = platform.nanoTime();
    driven = true;
    int glanceMask = source.glances() - 1;
    int eagerLooks = source.looksBeforeYield();
    for (int i = 1; !closed; i++) {
      if (batch != null && batch.isDue(i)) {
        batch.flushInProgress();
      }
      boolean active;
      try {
        active = (i & glanceMask) != 0 ? source.glance() : source.look();
      } catch (InternalError e) {
        if (!source.explains(e)) {
          throw e;
        }
        active = true;
      }
      if (condition.isMet() || (queue != null && queue.hasCompleted())) {
        return true;
      }
      if (active) {
        quietSince = platform.nanoTime();
        if (quietSince - deadlineNanos >= 0) {
          return true; // the messages of others may never leave a quiet moment
        }
        i = 0;
        continue;
      }
      boolean away = i > eagerLooks && placement.offer();
      if (away || (i & CLOCK_MASK) == 0) {
        long now = platform.nanoTime();
        if (now - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
          return true;
        }
        if (now - quietSince >= spinNanos) {
          if (batch != null) {
            batch.flushInProgress(); // no thread looks while this one blocks
          }
          if (VirtualThreads.isVirtualHere()) {
            return false;
          }
          source.block(Math.min(deadlineNanos - now, BLOCK_NANOS));
          return true;
        }
      }
    }
    source.afterClose();
    return true;
  }

  @Override
  public void wakeup() {
    source.wakeup();
  }

  /** Ends progress for good; the caller holds the lock. */
  public void close() {
    closed = true;
    source.close();
  }
}
