package io.jgloo.transport.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Frames that a thread which is about to post more has not sent yet, so that they go in one write.
 *
 * <p>Only a thread that will flush or wait may leave frames here; a thread that makes progress
 * sends them.
 *
 * <p><i>Threads</i>: under the mesh's lock, but for {@link #collect}, {@link #isDue}, {@link
 * #isEmpty} and both forms of flush, which take it.
 */
public final class Batch {

  /**
   * Looks for incoming data before an announcement goes alone; a credit takes its payload along.
   */
  private static final int PATIENCE = 20;

  private final EngineMesh mesh;
  private final List<Route> routes = new ArrayList<>();

  /** Not volatile: a thread finds itself here only if it was the one to write it. */
  private Thread collector;

  /** Volatile: the next thread to make progress sees what this one has left. */
  private volatile boolean waiting;

  private volatile boolean urgent;

  Batch(EngineMesh mesh) {
    this.mesh = mesh;
  }

  /** The calling thread will flush, or wait, after its next messages. */
  void collect() {
    collector = Thread.currentThread();
  }

  public boolean isCollecting() {
    return collector == Thread.currentThread();
  }

  /** The calling thread has posted what it had to. */
  void collected() {
    if (isCollecting()) {
      collector = null;
    }
  }

  boolean isEmpty() {
    return !waiting;
  }

  /** Takes a route with frames that may wait for others. */
  public void add(Route route, boolean isUrgent) {
    routes.add(route);
    hurry(isUrgent);
    waiting = true;
  }

  /** The peer of a route that is here may wait for what was added now. */
  public void hurry(boolean isUrgent) {
    urgent |= isUrgent;
  }

  /** Whether a thread that has looked in vain so many times should send it all. */
  boolean isDue(int looks) {
    return waiting && (urgent || looks > PATIENCE);
  }

  /** Sends it all. */
  void flush() {
    if (waiting) {
      mesh.lock();
      try {
        flushLocked();
      } finally {
        mesh.unlock();
      }
    }
  }

  /** Sends it all, in the thread that makes progress. */
  void flushInProgress() {
    if (waiting) {
      mesh.lock();
      try {
        flushLocked();
      } finally {
        mesh.unlockInProgress();
      }
    }
  }

  private void flushLocked() {
    waiting = false;
    urgent = false;
    for (int i = 0; i < routes.size(); i++) {
      routes.get(i).flush();
    }
    routes.clear();
  }
}
