package io.jgloo.transport.tcp;

import java.util.ArrayList;
import java.util.List;

/**
 * What a thread that is about to post more has not sent yet, so that it goes in one write.
 *
 * <p>Gloo tells a peer of each send and each receive, so an exchange of short messages is three
 * frames a rank; one call of the kernel for each costs more than all else together. Only a thread
 * that has promised to flush or to wait may leave frames here, and whoever drives sends them.
 *
 * <p><i>Threads</i>: under the mesh's lock, but for {@link #collect}, {@link #isDue} and {@link
 * #isEmpty}.
 */
final class Batch {

  /**
   * Looks for what comes in before an announcement goes alone; a credit takes its payload along.
   */
  private static final int PATIENCE = 20;

  private final TcpMesh mesh;
  private final List<GlooFlow> flows = new ArrayList<>();

  /** Not volatile: a thread finds itself here only if it was the one to write it. */
  private Thread collector;

  /** Volatile: whoever takes the baton sees what the thread before it has left. */
  private volatile boolean waiting;

  private volatile boolean urgent;

  Batch(TcpMesh mesh) {
    this.mesh = mesh;
  }

  /** The calling thread will flush, or wait, after its next messages. */
  void collect() {
    collector = Thread.currentThread();
  }

  boolean isCollecting() {
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

  /** Takes a flow with frames that may wait for others. */
  void add(GlooFlow flow, boolean isUrgent) {
    flows.add(flow);
    hurry(isUrgent);
    waiting = true;
  }

  /** The peer of a flow that is here may wait for what came now. */
  void hurry(boolean isUrgent) {
    urgent |= isUrgent;
  }

  /** Whether a driver that has looked in vain so many times should send it all. */
  boolean isDue(int looks) {
    return waiting && (urgent || looks > PATIENCE);
  }

  /** Sends it all. */
  void flush() {
    waiting = false;
    urgent = false;
    for (int i = 0; i < flows.size(); i++) {
      flows.get(i).flush();
    }
    flows.clear();
  }

  /** Sends it all, in the thread that drives and without the lock. */
  void flushToDrive() {
    mesh.lock();
    try {
      flush();
    } finally {
      mesh.unlockToDrive();
    }
  }
}
