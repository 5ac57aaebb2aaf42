package io.jgloo.transport.engine;

import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Request;
import java.util.ArrayDeque;

/** Completed requests of one user of a mesh. */
final class EngineQueue implements CompletionQueue, CompletionQueue.Condition {

  private final EngineMesh mesh;
  private final ArrayDeque<EngineRequest> completed =
      new ArrayDeque<>(); // guarded by the mesh's lock
  private final Batch batch; // null if routes hold no frames back
  private volatile boolean available;
  private volatile boolean woken;

  EngineQueue(EngineMesh mesh) {
    this.mesh = mesh;
    batch = mesh.progress().batch();
  }

  EngineMesh mesh() {
    return mesh;
  }

  @Override
  public Request newRequest() {
    return new EngineRequest(this);
  }

  @Override
  public Request poll() {
    if (!available) {
      return null;
    }
    mesh.lock();
    try {
      EngineRequest request = completed.poll();
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
    mesh.checkWait();
    sendBatch();
    mesh.progress().look();
  }

  @Override
  public void collect() {
    if (batch != null) {
      batch.collect();
    }
  }

  @Override
  public void flush() {
    if (batch != null) {
      batch.collected();
      batch.flush();
    }
  }

  @Override
  public boolean await(long deadlineNanos) {
    mesh.checkWait();
    Progress progress = mesh.progress();
    if (progress.isHeld()) {
      sendBatch(); // the holder may block; a thread that takes it later looks here
    }
    progress.await(this, null, null, deadlineNanos);
    if (mesh.isClosed() && !available) {
      mesh.awaitEnd(deadlineNanos);
    }
    woken = false;
    return available;
  }

  @Override
  public boolean await(Condition condition, Handler handler, long deadlineNanos) {
    mesh.checkWait();
    Progress progress = mesh.progress();
    if (progress.isHeld()) {
      sendBatch();
    }
    return progress.await(condition, this, handler, deadlineNanos);
  }

  @Override
  public void awaitInBackground(Condition condition, Handler handler, long deadlineNanos) {
    mesh.progress().awaitInBackground(condition, this, handler, deadlineNanos);
  }

  boolean hasCompleted() {
    return available;
  }

  private void sendBatch() {
    if (batch != null) {
      batch.flush();
    }
  }

  /** Gives what has completed to a handler, which may post more. */
  void handle(Handler handler) {
    for (Request request = poll(); request != null; request = poll()) {
      handler.completed(request);
    }
  }

  @Override
  public void wakeup() {
    woken = true;
    mesh.progress().signal();
  }

  @Override
  public boolean isMet() {
    return available || woken || mesh.isClosed();
  }

  /** Takes in a request that has ended; the mesh's lock is held. */
  void push(EngineRequest request) {
    completed.add(request);
    available = true;
    mesh.noteCompletion();
  }
}
