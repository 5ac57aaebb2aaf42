package io.jgloo.transport.tcp;

import io.jgloo.transport.Baton;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Request;

/** Completed requests of one user of a mesh. */
final class TcpQueue implements CompletionQueue, Baton.Wish {

  private final TcpMesh mesh;
  private final RequestList completed = new RequestList(); // guarded by the mesh's lock
  private volatile boolean available;
  private volatile boolean woken;

  TcpQueue(TcpMesh mesh) {
    this.mesh = mesh;
  }

  TcpMesh mesh() {
    return mesh;
  }

  @Override
  public Request newRequest() {
    return new TcpRequest(this);
  }

  @Override
  public Request poll() {
    if (!available) {
      return null;
    }
    mesh.lock();
    try {
      TcpRequest request = completed.poll();
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
    sendBatch();
    mesh.engine().progress();
  }

  @Override
  public void collect() {
    mesh.engine().batch().collect();
  }

  @Override
  public void flush() {
    mesh.engine().batch().collected();
    sendBatch();
  }

  private void sendBatch() {
    Batch batch = mesh.engine().batch();
    if (!batch.isEmpty()) {
      mesh.lock();
      try {
        batch.flush();
      } finally {
        mesh.unlock();
      }
    }
  }

  @Override
  public boolean await(long deadlineNanos) {
    mesh.reductions.checkWait();
    if (mesh.engine().baton().isHeld()) {
      sendBatch(); // its holder may be blocked; one that takes it from now on looks here first
    }
    mesh.engine().baton().await(this, deadlineNanos);
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
  void push(TcpRequest request) {
    completed.add(request);
    available = true;
    mesh.noteCompletion();
  }
}
