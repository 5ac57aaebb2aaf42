package io.jgloo.transport.sim;

import java.util.ArrayList;
import java.util.List;

/** What one rank's process is to the network: alive or not, running or stopped, fast or slow. */
final class Node {

  private final int rank;
  private final List<SimMesh> meshes = new ArrayList<>();
  private boolean crashed;
  private boolean silent;
  private boolean paused;
  private long pausedUntil;
  private long slowNanos;

  Node(int rank) {
    this.rank = rank;
  }

  int rank() {
    return rank;
  }

  /** Its meshes that are not closed, in the order in which they were made. */
  List<SimMesh> meshes() {
    return meshes;
  }

  boolean hasCrashed() {
    return crashed;
  }

  /** Whether it crashed so that nobody is told, as a host that loses power. */
  boolean isSilent() {
    return silent;
  }

  void crash(boolean silently) {
    crashed = true;
    silent = silently;
    paused = false;
  }

  void checkAlive() {
    if (crashed) {
      throw new RankCrash(rank);
    }
  }

  boolean isPaused() {
    return paused;
  }

  void pauseUntil(long time) {
    paused = true;
    pausedUntil = Math.max(pausedUntil, time);
  }

  /** Goes on if its pause is over; false if it is not. */
  boolean resume(long now) {
    if (now >= pausedUntil) {
      paused = false;
    }
    return !paused;
  }

  /** What each call costs it. */
  long slowNanos() {
    return slowNanos;
  }

  void slow(long nanosPerCall) {
    slowNanos = nanosPerCall;
  }

  @Override
  public String toString() {
    return "rank " + rank;
  }
}
