package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the reductions of one mesh.
 *
 * <p>What a reduction does to its mesh is deferred until it has returned: a mesh that fails or
 * closes frees memory that the reduction, and the code that called it, still use. And reductions
 * that take long leave the lock to others now and then.
 *
 * <p><i>Threads</i>: under the mesh's lock, but for {@link #checkWait} and {@link #letOthersIn}.
 */
public final class Reductions {

  /** How long reductions may keep the lock while others wait for it. */
  private static final long TURN_NANOS = 1_000_000L;

  private static final long PAUSE_NANOS = 20_000L;
  private static final int PAUSES = 500;

  private final ReentrantLock lock;
  private final Platform platform;
  private boolean forbidden;

  /** How long reductions have run since the lock was taken. */
  long turnNanos;

  /** Reductions that run now; read without the lock only to find out that none does. */
  int running;

  private boolean closing;
  private Throwable thrown; // by the last reduction that threw
  private JGlooException abort;

  /**
   * @param lock of the mesh, which is held while a reduction runs
   */
  public Reductions(ReentrantLock lock, Platform platform) {
    this.lock = lock;
    this.platform = platform;
  }

  /**
   * Runs a reduction.
   *
   * @throws JGlooException with which the reduction has aborted its mesh
   */
  public void run(Reduction kernel, long target, long source, long bytes) {
    run(kernel, target, source, bytes, false);
  }

  private void run(Reduction kernel, long target, long source, long bytes, boolean pastCaches) {
    boolean measured = kernel.bytesAtATime() != Integer.MAX_VALUE;
    long start = measured ? platform.nanoTime() : 0;
    running++;
    try {
      if (pastCaches) {
        kernel.reducePastCaches(target, source, bytes);
      } else {
        kernel.reduce(target, source, bytes);
      }
    } catch (Throwable e) {
      thrown = e;
      throw e;
    } finally {
      running--;
      turnNanos += measured ? platform.nanoTime() - start : 0;
    }
    if (abort != null && running == 0) {
      throw abort;
    }
  }

  /**
   * Stores or reduces bytes into a receive.
   *
   * @return how many; fewer than are given where the rest is less than an element or too much for
   *     one call
   */
  public int store(EngineRequest request, long offset, long from, int count) {
    if (request.reduction() == null) {
      Memory.copy(from, request.address() + offset, count);
      return count;
    }
    return reduce(request, offset, from, count, false);
  }

  /**
   * Reduces bytes into a receive.
   *
   * @param pastCaches see {@link Reduction#reducePastCaches}
   * @return as {@link #store}
   */
  public int reduce(EngineRequest request, long offset, long from, int count, boolean pastCaches) {
    Reduction kernel = request.reduction();
    int atOnce = Math.min(count, kernel.bytesAtATime());
    int whole = atOnce - atOnce % kernel.granule();
    if (whole > 0) {
      run(kernel, request.address() + offset, from, whole, pastCaches);
    }
    return whole;
  }

  /** Whether a reduction may run now, or is to be left to a later turn. */
  public boolean mayRun() {
    return !forbidden && turnNanos < TURN_NANOS;
  }

  /** Leaves reductions to other threads until {@link #allow}: the device's own runs none. */
  public void forbid() {
    forbidden = true;
  }

  public void allow() {
    forbidden = false;
  }

  /** Lets other threads have the lock after this turn, as after one with long reductions. */
  public void makeTurnLong() {
    turnNanos = Math.max(turnNanos, TURN_NANOS);
  }

  /** Ends a turn, before the lock is released; whether it has been long. */
  public boolean endTurn() {
    boolean wasLong = turnNanos >= TURN_NANOS;
    turnNanos = 0;
    return wasLong;
  }

  /** After a long turn, without the lock: lets the threads that wait for the lock have it. */
  public void letOthersIn() {
    for (int i = 0; i < PAUSES && lock.hasQueuedThreads() && !lock.isHeldByCurrentThread(); i++) {
      platform.park(this, PAUSE_NANOS);
    }
  }

  /** Takes the cause of an abort for later; false if no reduction runs. */
  public boolean defer(JGlooException cause) {
    if (running > 0 && abort == null) {
      abort = cause;
    }
    return running > 0;
  }

  /** Whether it was a reduction that threw this. */
  boolean threw(Throwable e) {
    return thrown == e;
  }

  /** Whether a reduction runs, in this thread. */
  boolean isRunning() {
    return running > 0;
  }

  /** Whether a reduction has aborted the mesh. */
  boolean isAborted() {
    return abort != null;
  }

  /** The first cause: of an abort inside a reduction, or what is given. */
  public JGlooException first(JGlooException cause) {
    return abort == null ? cause : abort;
  }

  /**
   * Has another thread close the mesh, which waits for the lock; false if no reduction runs.
   *
   * @param close the mesh's
   */
  public boolean deferClose(Runnable close) {
    if (running > 0 && !closing) {
      closing = true;
      platform.newThread("gloo-close", close).start();
    }
    return running > 0;
  }

  /**
   * Refuses a wait inside a reduction, which nothing could end: the waiting thread holds the lock.
   *
   * @throws IllegalStateException if the calling thread is inside a reduction
   */
  public void checkWait() {
    if (lock.isHeldByCurrentThread() && running > 0) {
      throw new IllegalStateException("a reduction must not wait for requests of its own mesh");
    }
  }
}
