package io.jgloo.transport.engine;

import io.jgloo.transport.library.VirtualThreads;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** The clock, threads and randomness of this JVM. */
final class SystemPlatform implements Platform {

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void park(Object blocker, long nanos) {
    LockSupport.parkNanos(blocker, nanos);
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // only time depends on it
  public void onSpinWait() {
    if (VirtualThreads.isVirtualHere()) {
      Thread.yield(); // what it waits for may need its carrier
    } else {
      Thread.onSpinWait();
    }
  }

  @Override
  public Thread newThread(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void join(Thread thread, long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
  }

  @Override
  public ReentrantLock newLock() {
    return new ReentrantLock();
  }

  @Override
  public UUID newIncarnation() {
    return UUID.randomUUID();
  }
}
