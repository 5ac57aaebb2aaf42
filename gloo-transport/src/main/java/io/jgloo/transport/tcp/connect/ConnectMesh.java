package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.tcp.socket.Poller;
import io.jgloo.transport.tcp.stream.Settings;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.stream.StreamMesh;
import java.io.IOException;
import java.util.function.LongPredicate;

/**
 * A mesh whose pairs are connected by the device's thread, as the connecting classes use it.
 *
 * <p>That thread serves other meshes too, so it never waits for the mesh's lock, which a slow
 * reduction may hold for long, and runs no reduction.
 */
public abstract class ConnectMesh extends StreamMesh {

  protected final ConnectDevice device;

  protected ConnectMesh(
      ConnectDevice device,
      Membership membership,
      FailureScope scope,
      Settings settings,
      Poller poller) {
    super(membership, scope, device.platform(), settings, poller);
    this.device = device;
  }

  public abstract ConnectionTable connectionTable();

  public abstract Handshake handshake();

  /** What is reserved for its connections. */
  public abstract OpenFiles openFiles();

  /** Starts to poll the streams: all are connected, or may be later. The lock is held. */
  public abstract void start() throws IOException;

  /** A stream is connected after the start: its queued frames are sent. The lock is held. */
  public abstract void joined(Stream stream);

  /** Whether requests are under way, or bytes of sends that are done; the lock is held. */
  public abstract boolean hasPending();

  /** Ranks whose cells are awaited in calls of some slots, by bit. */
  public abstract long awaitedCells(LongPredicate slots);

  // By the device's thread.

  /** Makes progress for requests that no thread waits for; whether there are any. */
  public final boolean patrol() {
    if (!tryLock()) {
      return false;
    }
    try {
      boolean pending = hasPending() && !progress().wasDriven();
      if (pending) {
        look();
      }
      return pending;
    } finally {
      unlock();
    }
  }

  /** Reads what has arrived, if no other thread does; the lock is held. */
  public final void look() {
    forbidReductions(true);
    try {
      progress().look();
    } finally {
      forbidReductions(false);
    }
  }

  /** A peer whose stream is blocked reports by a side channel that it has failed its mesh. */
  final void noticed(byte[] notice, int peer) {
    run(() -> receivedAbort(notice, isPairwise() ? pairAt(peer) : null));
  }

  /** A progress call has thrown something that is not the failure of a pair. */
  public final void broke(Throwable e) {
    run(() -> fail(new AbortedException(rank(), "rank " + rank() + " failed: " + e, e), null));
  }

  /** Runs a task under the lock, later if another thread holds it. */
  private void run(Runnable task) {
    if (!tryLock()) {
      device.retry(() -> run(task));
      return;
    }
    try {
      task.run();
    } finally {
      unlock();
    }
  }
}
