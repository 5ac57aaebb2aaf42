package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.engine.Source;
import io.jgloo.transport.ibverbs.verbs.Completion;
import io.jgloo.transport.ibverbs.verbs.Verbs;
import io.jgloo.transport.memory.Memory;

/**
 * Finds out which work requests of a mesh have completed: polls its completion queue, or waits for
 * the event of one.
 *
 * <p><i>Owns</i>: channel and queue, and room for completions.
 */
final class CompletionSource implements Source {

  /** Completions taken at a time. */
  private static final int BATCH = 64;

  /** Events acknowledged at a time: it takes a lock that destroying the queue waits for. */
  private static final int EVENT_BATCH = 256;

  private final IbverbsMesh mesh;
  private final Verbs verbs;
  private final long channel;
  private final long queue;
  private final long completions = Memory.allocate(BATCH * Completion.BYTES, Memory.CACHE_LINE);
  private int events;
  private boolean armed;
  private boolean closed;

  /**
   * Takes over a channel and a queue, which are closed here.
   *
   * @param channel of the mesh
   * @param queue of the mesh
   */
  CompletionSource(IbverbsMesh mesh, long channel, long queue) {
    this.mesh = mesh;
    this.channel = channel;
    this.queue = queue;
    verbs = mesh.adapter().verbs();
  }

  /** Waits for an event; one that is asked for and not taken yet is not asked for again. */
  @Override
  public void block(long nanos) {
    if (!armed) {
      armed = true;
      check("ibv_req_notify_cq", verbs.requestEvent(queue));
      if (look()) {
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
    look();
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

  @Override
  public boolean look() {
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
      mesh.unlockInProgress();
    }
    return true;
  }

  private void check(String call, int result) {
    if (result != 0) {
      mesh.lock();
      try {
        mesh.fail(new UnavailableException(call + " failed with errno " + Math.abs(result)), null);
      } finally {
        mesh.unlockInProgress();
      }
    }
  }

  /** Ends polling for good; all queue pairs are gone. */
  @Override
  public void close() {
    closed = true;
    acknowledge();
    verbs.destroyQueue(queue);
    verbs.destroyChannel(channel);
    Memory.free(completions);
  }
}
