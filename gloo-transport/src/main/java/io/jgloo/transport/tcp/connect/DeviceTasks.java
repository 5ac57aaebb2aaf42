package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.AbortedException;

/**
 * What the device's thread does for one mesh. It serves other meshes too, so it never waits for the
 * mesh's lock, which a slow reduction may hold for long, and runs no reduction.
 *
 * <p><i>Threads</i>: the device's.
 */
public final class DeviceTasks {

  private final ConnectMesh mesh;
  private final ConnectDevice device;

  public DeviceTasks(ConnectMesh mesh, ConnectDevice device) {
    this.mesh = mesh;
    this.device = device;
  }

  /** Makes progress for requests that no thread waits for; whether there are any. */
  public boolean progress() {
    if (!mesh.tryLock()) {
      return false;
    }
    try {
      boolean pending = mesh.hasPending() && !mesh.progress().wasDriven();
      if (pending) {
        look();
      }
      return pending;
    } finally {
      mesh.unlock();
    }
  }

  /** Reads what has arrived, if no other thread does; the lock is held. */
  public void look() {
    mesh.reductions().forbid();
    try {
      mesh.progress().look();
    } finally {
      mesh.reductions().allow();
    }
  }

  /** A peer whose stream is blocked reports by a side channel that it has failed its mesh. */
  void noticed(byte[] notice, int peer) {
    run(() -> mesh.receivedAbort(notice, mesh.isPairwise() ? mesh.pairAt(peer) : null));
  }

  /** A progress call has thrown something that is not the failure of a pair. */
  public void broke(Throwable e) {
    String what = "rank " + mesh.rank() + " failed: " + e;
    run(() -> mesh.fail(new AbortedException(mesh.rank(), what, e), null));
  }

  /** Runs a task under the lock, later if another thread holds it. */
  private void run(Runnable task) {
    if (!mesh.tryLock()) {
      device.retry(() -> run(task));
      return;
    }
    try {
      task.run();
    } finally {
      mesh.unlock();
    }
  }
}
