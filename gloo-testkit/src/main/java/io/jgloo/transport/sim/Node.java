package io.jgloo.transport.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * The process of one rank as the network sees it: alive or not, running or stopped, fast or slow.
 */
final class Node {

  private final int rank;
  private final List<SimLink> links = new ArrayList<>();
  private final List<SimAcceptor> acceptors = new ArrayList<>();
  private int mostDescriptors = Integer.MAX_VALUE;
  private boolean crashed;
  private boolean silent;
  private boolean paused;
  private long pausedUntil;
  private long slowNanos;
  private long acceptDelayNanos;
  private boolean memoryExhausted;

  Node(int rank) {
    this.rank = rank;
  }

  int rank() {
    return rank;
  }

  /** Its connections, in the order in which they were made. */
  List<SimLink> links() {
    return links;
  }

  List<SimAcceptor> acceptors() {
    return acceptors;
  }

  /** Sets how many sockets it may have open. */
  void mostDescriptors(int most) {
    mostDescriptors = most;
  }

  boolean hasDescriptor() {
    return links.size() + acceptors.size() < mostDescriptors;
  }

  boolean hasCrashed() {
    return crashed;
  }

  /** Whether it crashed so that nothing is reported, as a host that loses power. */
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

  /** Sets whether its allocations of off-heap memory fail, where tests look for that. */
  void memoryExhausted(boolean isExhausted) {
    memoryExhausted = isExhausted;
  }

  boolean isMemoryExhausted() {
    return memoryExhausted;
  }

  boolean isPaused() {
    return paused;
  }

  void pauseUntil(long time) {
    paused = true;
    pausedUntil = Math.max(pausedUntil, time);
  }

  /** Continues if its pause is over; false if it is not. */
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

  /** How long after it is connected a connection can be accepted here. */
  long acceptDelayNanos() {
    return acceptDelayNanos;
  }

  void acceptDelay(long nanos) {
    acceptDelayNanos = nanos;
  }

  @Override
  public String toString() {
    return "rank " + rank;
  }
}
