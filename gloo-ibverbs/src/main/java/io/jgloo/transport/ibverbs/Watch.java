package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A mesh's own thread: receives on the TCP mesh the goodbyes and failures of peers, reads the
 * device's events, makes progress for requests that no thread waits for, and wakes queue pairs that
 * have paused with work; moves no message otherwise.
 *
 * <p><i>Owns</i>: the memory of its receives.
 */
final class Watch extends Thread {

  private static final Logger LOG = System.getLogger(Watch.class.getName());
  private static final long END_MILLIS = 2000;
  private static final long TICK_NANOS = 20_000_000L;
  private static final long BUSY_TICK_NANOS = 1_000_000L;
  private static final long PAUSE_NANOS = 50_000L;
  private static final long NUDGE_NANOS = 1_000_000_000L;

  private final IbverbsMesh mesh;
  private final Mesh inner;
  private final CompletionQueue queue;
  private final Buffer buffer;
  private final long memory = Memory.allocate(Long.BYTES, Memory.CACHE_LINE);
  private final BitSet present;
  private final CountDownLatch ended = new CountDownLatch(1);
  private long nudged = System.nanoTime();
  private volatile boolean ending;

  Watch(IbverbsMesh mesh, Mesh inner) {
    super("gloo-ibverbs-" + inner.membership().group() + "-" + inner.membership().rank());
    setDaemon(true);
    this.mesh = mesh;
    this.inner = inner;
    queue = inner.newQueue();
    buffer = inner.newBuffer().wrap(memory, Long.BYTES, null);
    present = mesh.bootstrap().others();
  }

  @Override
  public void run() {
    try {
      Request sentinel = queue.newRequest();
      listen(sentinel);
      boolean busy = false;
      while (!ending) {
        queue.await(System.nanoTime() + (busy ? BUSY_TICK_NANOS : TICK_NANOS));
        for (Request request = queue.poll(); request != null; request = queue.poll()) {
          handle(request, sentinel);
        }
        busy = look();
      }
      stopListening(sentinel);
    } finally {
      Memory.free(memory);
      ended.countDown();
    }
  }

  /** Handles all that has been received on the TCP mesh; nothing is received after that. */
  private void stopListening(Request sentinel) {
    while (sentinel.state() == Request.State.POSTED && !sentinel.cancel()) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    for (Request request = queue.poll(); request != null; request = queue.poll()) {
      boolean more = request.state() == Request.State.DONE;
      handle(request, sentinel);
      if (more && sentinel.state() == Request.State.POSTED) {
        sentinel.cancel();
      }
    }
  }

  /** Without a posted receive the end of a stream would not end the wait. */
  private void listen(Request sentinel) {
    if (!present.isEmpty()) {
      inner.recvAny(sentinel.message(Bootstrap.LEAVING_SLOT, buffer, 0, Long.BYTES), present);
    }
  }

  private void handle(Request request, Request sentinel) {
    if (request.state() == Request.State.DONE) {
      int peer = request.peer();
      present.clear(peer);
      mesh.leaving(peer, Memory.getLong(memory));
      listen(sentinel);
    }
  }

  /** Whether this thread should look again soon. */
  private boolean look() {
    Optional<JGlooException> failure = inner.failure();
    if (failure.isPresent()) {
      mesh.innerMeshFailed(failure.get());
    }
    mesh.device().lookAtEvents();
    long now = System.nanoTime();
    if (now - nudged >= NUDGE_NANOS) {
      nudged = now;
      mesh.nudge();
    }
    return mesh.patrol();
  }

  /** Ends the thread and waits for it; the mesh's lock is not held. */
  void end() {
    ending = true;
    queue.wakeup();
    boolean interrupted = Thread.interrupted();
    try {
      if (!ended.await(END_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.log(Level.WARNING, "the thread {0} does not end", getName());
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the thread look at once. */
  void rouse() {
    queue.wakeup();
  }
}
