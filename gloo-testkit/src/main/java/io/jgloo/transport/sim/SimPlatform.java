package io.jgloo.transport.sim;

import io.jgloo.transport.engine.Platform;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Time, threads, waiting and identity of one simulated rank. */
final class SimPlatform implements Platform {

  private final Scheduler scheduler;
  private final Node node;

  SimPlatform(Scheduler scheduler, Node node) {
    this.scheduler = scheduler;
    this.node = node;
  }

  @Override
  public long nanoTime() {
    return scheduler.nanoTime();
  }

  @Override
  public void park(Object blocker, long nanos) {
    Strand self = scheduler.current();
    scheduler.lock.lock();
    try {
      if (self == null || !self.permit) {
        scheduler.block(self, null, scheduler.after(nanos));
      }
      if (self != null) {
        self.permit = false;
      }
    } finally {
      scheduler.lock.unlock();
    }
  }

  @Override
  public void unpark(Thread thread) {
    if (thread instanceof SimThread other) {
      scheduler.scheduled(() -> other.strand.permit = true);
      scheduler.signal(other.strand);
    } else {
      scheduler.signal(thread); // it waits for any change
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void onSpinWait() {
    scheduler.spin();
  }

  @Override
  public Thread newThread(String name, Runnable body) {
    return new SimThread(scheduler, node, false, name, body);
  }

  @Override
  public void join(Thread thread, long nanos) throws InterruptedException {
    scheduler.join((SimThread) thread, nanos);
  }

  @Override
  public ReentrantLock newLock() {
    return new SimLock(scheduler);
  }

  @Override
  public UUID newIncarnation() {
    scheduler.lock.lock();
    try {
      return new UUID(scheduler.timeline.randomLong(), scheduler.timeline.randomLong());
    } finally {
      scheduler.lock.unlock();
    }
  }
}
