package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Baton;
import io.jgloo.transport.Memory;
import io.jgloo.transport.Placement;
import io.jgloo.transport.UnavailableException;

/**
 * Moves a mesh's bytes in the thread that waits: polls of the completion queue, then a wait for its
 * event.
 *
 * <p><i>Threads</i>: the holder of the baton polls; the mesh's lock is taken only to handle what
 * has completed, never while blocking. <i>Owns</i>: room for completions.
 */
final class Engine implements Baton.Drive {

  /** Longest wait for an event, so that interrupts and closing are seen. */
  private static final long BLOCK_NANOS = 50_000_000L;

  /** Polls before the thread offers its core to others at each further one. */
  private static final int EAGER_POLLS = 6;

  /** Look at the clock every so many polls. */
  private static final int CLOCK_MASK = 0x07;

  /** Completions taken at a time. */
  private static final int BATCH = 64;

  /** Events acknowledged at a time: it takes a lock that destroying the queue waits for. */
  private static final int EVENT_BATCH = 256;

  private final IbverbsMesh mesh;
  private final Verbs verbs;
  private final long channel;
  private final long queue;
  private final Baton baton;
  private final long spinNanos;
  private final Placement placement;
  private final long completions = Memory.allocate(BATCH * Completion.BYTES, Memory.CACHE_LINE);
  private int events;
  private boolean armed;
  private boolean closed;
  private volatile boolean driven;

  /**
   * @param channel of the mesh, closed here
   * @param queue of the mesh, closed here
   */
  Engine(IbverbsMesh mesh, long channel, long queue) {
    this.mesh = mesh;
    this.channel = channel;
    this.queue = queue;
    verbs = mesh.adapter().verbs();
    Settings settings = mesh.settings();
    spinNanos = settings.spinNanos();
    placement = settings.spreads() ? Placement.spreading(mesh::localSize) : Placement.kernels();
    baton = new Baton(this, mesh.clock(), spinNanos);
  }

  Baton baton() {
    return baton;
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
        round();
      } finally {
        baton.release();
      }
    }
  }

  @Override
  public void step(Baton.Wish wish, long deadlineNanos) {
    long quietSince = System.nanoTime();
    driven = true;
    for (int i = 1; !closed; i++) {
      boolean active = round();
      if (wish.cameTrue()) {
        return;
      }
      if (active) {
        quietSince = System.nanoTime();
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
        long now = System.nanoTime();
        if (now - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
          return;
        }
        if (now - quietSince >= spinNanos) {
          block(Math.min(deadlineNanos - now, BLOCK_NANOS));
          return;
        }
      }
    }
  }

  /** Waits for an event; one that is asked for and not taken yet is not asked for again. */
  private void block(long nanos) {
    if (!armed) {
      armed = true;
      check("ibv_req_notify_cq", verbs.requestEvent(queue));
      if (round()) {
        return; // what came before the event was asked for brings none
      }
    }
    int ready = verbs.awaitEvent(channel, nanos);
    check("waiting for a completion event", Math.min(ready, 0));
    while (ready > 0 && verbs.takeEvent(channel) > 0) {
      armed = false;
      events++;
    }
    if (events >= EVENT_BATCH) {
      acknowledge();
    }
    round();
  }

  private void acknowledge() {
    if (events > 0) {
      verbs.acknowledgeEvents(queue, events);
      events = 0;
    }
  }

  @Override
  public void wakeup() {
    verbs.wakeup(channel);
  }

  /** Takes what is complete; the caller holds the baton. Whether there was anything. */
  boolean round() {
    if (closed) {
      return false;
    }
    int count = verbs.poll(queue, BATCH, completions);
    if (count == 0) {
      return false;
    }
    if (count < 0) {
      check("ibv_poll_cq", count);
      return false;
    }
    mesh.lock();
    try {
      for (int i = 0; i < count; i++) {
        mesh.handle(completions + (long) i * Completion.BYTES);
      }
    } finally {
      mesh.unlockToDrive();
    }
    return true;
  }

  private void check(String call, int result) {
    if (result != 0) {
      mesh.lock();
      try {
        mesh.fail(new UnavailableException(call + " failed with errno " + Math.abs(result)));
      } finally {
        mesh.unlockToDrive();
      }
    }
  }

  /** Ends polling for good; the caller holds the baton, and all queue pairs are gone. */
  void close() {
    closed = true;
    acknowledge();
    verbs.destroyQueue(queue);
    verbs.destroyChannel(channel);
    Memory.free(completions);
  }
}
