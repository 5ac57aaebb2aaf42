package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Baton;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Request;

/** Completed requests of one user of a mesh. */
final class IbverbsQueue implements CompletionQueue, Baton.Wish {

  private final IbverbsMesh mesh;
  private final RequestList completed = new RequestList(); // guarded by the mesh's lock
  private volatile boolean available;
  private volatile boolean woken;

  IbverbsQueue(IbverbsMesh mesh) {
    this.mesh = mesh;
  }

  IbverbsMesh mesh() {
    return mesh;
  }

  @Override
  public Request newRequest() {
    return new IbverbsRequest(this);
  }

  @Override
  public Request poll() {
    if (!available) {
      return null;
    }
    mesh.lock();
    try {
      IbverbsRequest request = completed.poll();
      if (request != null) {
        available = !completed.isEmpty();
      }
      return request;
    } finally {
      mesh.unlock();
    }
  }

  @Override
  public void progress() {
    mesh.reductions.checkWait();
    mesh.engine().progress();
  }

  @Override
  public boolean await(long deadlineNanos) {
    mesh.reductions.checkWait();
    mesh.engine().baton().await(this, deadlineNanos);
    if (mesh.isClosed() && !available) {
      mesh.ending().await(deadlineNanos); // our requests are about to fail
    }
    woken = false;
    return available;
  }

  @Override
  public void wakeup() {
    woken = true;
    mesh.engine().baton().signal();
  }

  @Override
  public boolean cameTrue() {
    return available || woken || mesh.isClosed();
  }

  /** Takes in a request that has ended; the mesh's lock is held. */
  void push(IbverbsRequest request) {
    completed.add(request);
    available = true;
    mesh.noteCompletion();
  }
}
