package io.jgloo.transport.sim;

import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Request;
import java.util.ArrayDeque;

/** Completed requests of one user of a simulated mesh. */
final class SimQueue implements CompletionQueue {

  /** What a call of {@link #progress} that finds nothing lets pass. */
  private static final long PROGRESS_NANOS = 1_000;

  private final SimMesh mesh;
  private final Scheduler scheduler;
  private final ArrayDeque<SimRequest> completed = new ArrayDeque<>();
  private long wakeUps;

  SimQueue(SimMesh mesh, Scheduler scheduler) {
    this.mesh = mesh;
    this.scheduler = scheduler;
  }

  SimMesh mesh() {
    return mesh;
  }

  /** A request of this queue has ended; the lock is held. */
  void add(SimRequest request) {
    completed.add(request);
    scheduler.signal(this);
  }

  @Override
  public Request newRequest() {
    return new SimRequest(this);
  }

  @Override
  public Request poll() {
    scheduler.lock.lock();
    try {
      return completed.poll();
    } finally {
      scheduler.lock.unlock();
    }
  }

  @Override
  public void progress() {
    if (scheduler.current() == null) {
      scheduler.look(mesh.node());
      return;
    }
    Strand self = scheduler.enter(mesh.node());
    try {
      if (completed.isEmpty()) {
        long until = scheduler.timeline.now() + PROGRESS_NANOS;
        self = scheduler.block(self, mesh.node(), this, null, until);
      }
    } finally {
      scheduler.leave(self);
    }
  }

  @Override
  public boolean await(long deadlineNanos) {
    Strand self = scheduler.enter(mesh.node());
    try {
      long until = scheduler.virtual(deadlineNanos);
      long before = wakeUps;
      while (completed.isEmpty()) {
        Scheduler.checkInterrupt();
        if (before != wakeUps || scheduler.timeline.now() >= until) {
          return false;
        }
        self = scheduler.block(self, mesh.node(), this, null, until);
      }
      return true;
    } finally {
      scheduler.leave(self);
    }
  }

  @Override
  public void wakeup() {
    Strand self = scheduler.enter(mesh.node());
    try {
      wakeUps++;
      scheduler.signal(this);
    } finally {
      scheduler.leave(self);
    }
  }

  @Override
  public boolean await(Condition condition, Handler handler, long deadlineNanos) {
    while (!condition.isMet()) {
      Request request = poll();
      if (request != null) {
        handler.completed(request);
      } else if (!await(deadlineNanos) && mesh.clock().nanoTime() - deadlineNanos >= 0) {
        return condition.isMet();
      }
    }
    return true;
  }

  @Override
  public void awaitInBackground(Condition condition, Handler handler, long deadlineNanos) {
    await(condition, handler, deadlineNanos);
  }
}
