package io.jgloo.transport.sim;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock before which other strands may go first, and whose conditions wait in virtual time. No
 * strand gives up its turn while it holds one, so it is never contended but by foreign threads.
 */
final class SimLock extends ReentrantLock {

  private static final long serialVersionUID = 1L;
  private static final int REFUSED_ONE_IN = 8;

  private final transient Scheduler scheduler;

  SimLock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void lock() {
    scheduler.point();
    super.lock();
    count(1);
  }

  /** Fails at random too, as if another thread held it. */
  @Override
  public boolean tryLock() {
    boolean taken = isHeldByCurrentThread() || !scheduler.draw(REFUSED_ONE_IN);
    taken = taken && super.tryLock();
    count(taken ? 1 : 0);
    return taken;
  }

  @Override
  public void unlock() {
    super.unlock();
    count(-1);
  }

  private void count(int change) {
    Strand self = scheduler.current();
    if (self != null) {
      self.locks += change;
    }
  }

  @Override
  public Condition newCondition() {
    return new SimCondition();
  }

  // Callers of await look again; the scheduler's lock must be taken before this one is released.
  @SuppressWarnings({"WaitNotInLoop", "LockNotBeforeTry"})
  private final class SimCondition implements Condition {

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      scheduler.lock.lock(); // before the other is given back, or a signal could be missed
      long until = scheduler.after(nanos);
      SimLock.super.unlock();
      count(-1);
      try {
        scheduler.block(this, null, until);
        return until - scheduler.now();
      } finally {
        scheduler.lock.unlock();
        SimLock.super.lock();
        count(1);
      }
    }

    @Override
    public void await() throws InterruptedException {
      awaitNanos(Long.MAX_VALUE);
    }

    @Override
    public void awaitUninterruptibly() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean awaitUntil(java.util.Date deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void signal() {
      signalAll();
    }

    @Override
    public void signalAll() {
      scheduler.signal(this);
    }
  }
}
