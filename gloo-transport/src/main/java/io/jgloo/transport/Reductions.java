package io.jgloo.transport;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the reductions of one mesh and defers what they do to the mesh until they have returned: a
 * mesh that fails or closes frees memory that the reduction, and the code that called it, still
 * use.
 *
 * <p><i>Threads</i>: under the mesh's lock, but for {@link #checkWait}.
 */
public final class Reductions {

  private final ReentrantLock lock;
  private int running;
  private boolean closing;
  private GlooException abort;

  /**
   * @param lock of the mesh, which is held while a reduction runs
   */
  public Reductions(ReentrantLock lock) {
    this.lock = lock;
  }

  /**
   * Runs a reduction.
   *
   * @throws GlooException with which the reduction has aborted its mesh
   */
  public void run(Reduction kernel, long target, long source, long bytes) {
    running++;
    try {
      kernel.reduce(target, source, bytes);
    } finally {
      running--;
    }
    if (abort != null && running == 0) {
      throw abort;
    }
  }

  /** Takes the cause of an abort for later; false if no reduction runs. */
  public boolean defer(GlooException cause) {
    if (running > 0 && abort == null) {
      abort = cause;
    }
    return running > 0;
  }

  /** The first cause: of an abort inside a reduction, or what is given. */
  public GlooException first(GlooException cause) {
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
      Thread closer = new Thread(close, "gloo-close");
      closer.setDaemon(true);
      closer.start();
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
