package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.ibverbs.verbs.AsyncEvent;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a mesh: by a failure, which takes its queue pairs down at once, or by closing, which
 * first lets the device finish its work requests and notifies the peers.
 *
 * <p>A broken queue pair is a symptom: the peer may have failed, left or ended, and the report of
 * that comes by TCP. So a symptom becomes the cause only if no report arrives within a short time.
 */
final class Ending {

  /** How long an abort notice or the end of a process may take to arrive. */
  private static final long GRACE_NANOS = 250_000_000L;

  /** The same for a pair that was only flushed: the other side may report the cause. */
  private static final long FLUSHED_GRACE_NANOS = 4 * GRACE_NANOS;

  /** How long closing waits for the device to finish. */
  private static final long FLUSH_NANOS = 1_000_000_000L;

  private static final long PAUSE_NANOS = 50_000L;

  private final IbverbsMesh mesh;
  private final List<IbverbsLink> suspects = new ArrayList<>();
  private long suspectSince;
  private volatile boolean disarmed;

  Ending(IbverbsMesh mesh) {
    this.mesh = mesh;
  }

  /** A pair is broken; the lock is held. */
  void suspect(IbverbsLink link) {
    if (suspects.isEmpty()) {
      suspectSince = System.nanoTime();
    }
    suspects.add(link);
  }

  /** Takes symptoms for causes that are old enough; whether there are any younger. Lock held. */
  boolean condemn() {
    if (suspects.isEmpty() || mesh.hasEnded()) {
      return false;
    }
    long age = System.nanoTime() - suspectSince;
    if (age < GRACE_NANOS) {
      return true;
    }
    List<IbverbsLink> due = new ArrayList<>(suspects);
    due.removeIf(link -> link.wasOnlyFlushed() && age < FLUSHED_GRACE_NANOS);
    suspects.removeAll(due);
    due.forEach(IbverbsLink::condemn);
    return !suspects.isEmpty();
  }

  /** An event of the device, which may concern one of the mesh's pairs, all or none. */
  void event(AsyncEvent event, String text) {
    mesh.lock();
    try {
      for (int peer = 0; peer < mesh.size(); peer++) {
        IbverbsLink link = mesh.linkAt(peer);
        if (link != null && link.queuePair().handle() == event.element()) {
          JGlooException cause = link.diagnose(event, text);
          if (cause != null) {
            link.suspect(cause);
          }
          return;
        }
      }
      JGlooException cause = Diagnosis.ofEvent(event, -1, "", text);
      if (cause != null && mesh.resources().concerns(event)) {
        mesh.fail(cause, null);
      }
    } finally {
      mesh.unlock();
    }
  }

  /** Waits until closing has failed all requests, or the deadline has passed. */
  void await(long deadlineNanos) {
    while (!disarmed && System.nanoTime() - deadlineNanos < 0) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /** Takes all queue pairs down: nothing touches memory for them any more. The lock is held. */
  void disarm() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (mesh.linkAt(peer) != null) {
        mesh.linkAt(peer).disarm();
      }
    }
    mesh.resources().forgetLines();
  }

  /** Closes the mesh: no thread can be in a call of the device on it. */
  void run() {
    flush();
    if (mesh.isStarted()) {
      mesh.watch().end(); // from now on no thread reads the TCP mesh
    }
    leave();
    mesh.device().forget(mesh);
  }

  /**
   * Lets the device finish what it was given: those sends are done in the state of their requests.
   */
  private void flush() {
    long deadline = System.nanoTime() + FLUSH_NANOS;
    while (!isQuiet() && System.nanoTime() - deadline < 0) {
      if (!mesh.source().look()) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  private boolean isQuiet() {
    boolean quiet = true;
    mesh.lock();
    try {
      for (int peer = 0; peer < mesh.size(); peer++) {
        IbverbsLink link = mesh.linkAt(peer);
        quiet &= link == null || link.isQuiet();
      }
    } finally {
      mesh.unlock();
    }
    return quiet;
  }

  private void leave() {
    mesh.lock();
    try {
      Mesh inner = mesh.bootstrap().inner();
      mesh.failClosed();
      disarmed = true;
      if (mesh.isStarted() && mesh.failure().isEmpty()) {
        sayGoodbye(inner);
      }
      inner.close();
      release();
    } finally {
      mesh.unlock();
    }
  }

  /**
   * Notifies the peers that have not left. A message to one that has left would fail the TCP mesh,
   * and so the meshes of all ranks; as no thread reads the TCP mesh any more, no peer can leave
   * meanwhile.
   */
  private void sayGoodbye(Mesh inner) {
    CompletionQueue queue = inner.newQueue();
    long memory = Memory.allocate(Long.BYTES, Memory.CACHE_LINE);
    Buffer buffer = inner.newBuffer().wrap(memory, Long.BYTES, null);
    for (int peer = 0; peer < mesh.size(); peer++) {
      IbverbsLink link = mesh.linkAt(peer);
      if (link != null && !link.route().pair().hasDeparted()) {
        Memory.putLong(memory, link.consumed());
        // So short a message is copied when it is posted.
        inner
            .pair(peer)
            .send(queue.newRequest().message(Bootstrap.LEAVING_SLOT, buffer, 0, Long.BYTES));
      }
    }
    inner.close();
    Memory.free(memory);
  }

  private void release() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (mesh.linkAt(peer) != null) {
        mesh.linkAt(peer).close();
      }
    }
    mesh.progress().close();
    mesh.unexpected().close();
    mesh.registrations().close();
    mesh.resources().close();
    mesh.bootstrap().free();
  }
}
