package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.shm.SegmentDial;
import java.util.UUID;

/**
 * The task to connect to one peer: attempts are made until one succeeds, the task is cancelled or
 * its deadline has passed.
 */
public final class Dial implements SegmentDial {

  private static final long FIRST_PAUSE_NANOS = 1_000_000L;
  private static final long LAST_PAUSE_NANOS = 200_000_000L;

  private final ConnectMesh mesh;
  private final int peer;
  private final Endpoint endpoint;
  private final boolean sameHost;
  private final long deadlineNanos;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private volatile boolean cancelled;
  private int segmentsTried;
  private final PendingLinks pendingLinks = new PendingLinks(); // of the device's thread

  Dial(ConnectMesh mesh, int peer, Endpoint endpoint, boolean sameHost, long deadlineNanos) {
    this.mesh = mesh;
    this.peer = peer;
    this.endpoint = endpoint;
    this.sameHost = sameHost;
    this.deadlineNanos = deadlineNanos;
  }

  ConnectMesh mesh() {
    return mesh;
  }

  @Override
  public int peer() {
    return peer;
  }

  /** The connections made so far; the pair gets all of them together. */
  PendingLinks pendingLinks() {
    return pendingLinks;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public UUID incarnation() {
    return endpoint.incarnation();
  }

  @Override
  public boolean mayShareMemory() {
    return sameHost && pendingLinks.count() == 0;
  }

  boolean isOnSameHost() {
    return sameHost;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isCancelled() {
    return cancelled || mesh.clock().nanoTime() - deadlineNanos >= 0;
  }

  /** Its deadline has passed: fails the pair if it is not connected. */
  void expired() {
    try {
      mesh.connectionTable().expired(this);
    } catch (Throwable e) {
      mesh.broke(e);
    }
  }

  void cancel() {
    cancelled = true;
  }

  @Override
  public int segmentsTried() {
    return segmentsTried;
  }

  @Override
  public void nextSegment() {
    segmentsTried++;
  }

  /** How long to wait before the next attempt; doubles, up to 200 ms. */
  long nextPauseNanos() {
    long pause = pauseNanos;
    pauseNanos = Math.min(2 * pause, LAST_PAUSE_NANOS);
    return pause;
  }
}
