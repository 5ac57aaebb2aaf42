package io.jgloo.transport.sim;

import java.time.Duration;
import java.util.List;

/**
 * The faults of a simulated world.
 *
 * <p><i>Threads</i>: any; repeatable when called by the world's own or from {@link SimWorld#at}.
 */
public final class Faults {

  private final Scheduler scheduler;
  private final Network network;

  Faults(Scheduler scheduler, Network network) {
    this.scheduler = scheduler;
    this.network = network;
  }

  /** Cuts both directions between two ranks: what is under way waits until {@link #heal}. */
  public void cut(int first, int second) {
    cutOneWay(first, second);
    cutOneWay(second, first);
  }

  /** Cuts one direction: nothing arrives until {@link #heal}. */
  public void cutOneWay(int from, int to) {
    scheduler.scheduled(() -> network.path(from, to).cut());
  }

  /** Heals both directions; delayed bytes arrive. */
  public void heal(int first, int second) {
    scheduler.scheduled(
        () -> {
          network.path(first, second).heal();
          network.path(second, first).heal();
        });
  }

  /** Changes a bit of what is next sent this way, as a network does that TCP's sum misses. */
  public void flip(int from, int to) {
    scheduler.scheduled(() -> network.path(from, to).flip());
  }

  /** Breaks all connections between two ranks: either finds that the other is lost. */
  public void reset(int first, int second) {
    scheduler.scheduled(
        () -> {
          for (SimLink link : List.copyOf(network.node(first).links())) {
            if (link.peer() != null && link.peer().node() == network.node(second)) {
              link.peer().broken();
              link.broken();
            }
          }
        });
  }

  /** Heals all paths and lifts all limits; ranks that are paused continue at their time. */
  public void healAll() {
    scheduler.scheduled(
        () -> {
          for (int rank = 0; rank < network.size(); rank++) {
            Node node = network.node(rank);
            node.mostDescriptors(Integer.MAX_VALUE);
            node.slow(0);
            node.acceptDelay(0);
            node.memoryExhausted(false);
            for (int other = 0; other < network.size(); other++) {
              network.path(rank, other).heal();
            }
          }
        });
  }

  /** Lets a rank have this many sockets open: beyond that, dialling and accepting fail. */
  public void mostSockets(int rank, int most) {
    scheduler.scheduled(() -> network.node(rank).mostDescriptors(most));
  }

  /**
   * Lets a rank's allocations of off-heap memory fail until all is healed; in a guarded memory that
   * asks {@link SimThread#isMemoryExhausted}.
   */
  void exhaustMemory(int rank) {
    scheduler.scheduled(() -> network.node(rank).memoryExhausted(true));
  }

  /** Kills a rank: its peers get resets, its threads end at their next call. */
  public void crash(int rank) {
    crash(rank, Duration.ZERO);
  }

  /**
   * Kills a rank.
   *
   * @param detection how long until the peers get resets
   */
  public void crash(int rank, Duration detection) {
    scheduler.scheduled(
        () -> {
          Node node = network.node(rank);
          if (kill(node, false)) {
            List.copyOf(node.links()).forEach(link -> link.abort(detection.toNanos()));
            List.copyOf(node.acceptors()).forEach(SimAcceptor::close);
          }
        });
  }

  /** Kills a rank as by a power failure: its peers get no packet any more. */
  public void vanish(int rank) {
    scheduler.scheduled(() -> kill(network.node(rank), true));
  }

  private boolean kill(Node node, boolean silently) {
    if (node.hasCrashed()) {
      return false;
    }
    node.crash(silently);
    if (silently) {
      node.links().forEach(SimLink::freeze);
    }
    scheduler.signalAll(node);
    return true;
  }

  /** Kills all ranks, so that their threads end. */
  void killAll() {
    scheduler.scheduled(
        () -> {
          for (int rank = 0; rank < network.size(); rank++) {
            kill(network.node(rank), true);
          }
        });
  }

  /** Whether a rank has been killed. */
  public boolean hasCrashed(int rank) {
    scheduler.lock.lock();
    try {
      return network.node(rank).hasCrashed();
    } finally {
      scheduler.lock.unlock();
    }
  }

  /** Stops a rank as by SIGSTOP, for this long; the latest end of several counts. */
  public void pause(int rank, Duration time) {
    scheduler.scheduled(
        () -> {
          long until = scheduler.after(time.toNanos());
          network.node(rank).pauseUntil(until);
          scheduler.timeline.at(until, "resume " + rank, () -> resume(network.node(rank)));
        });
  }

  private void resume(Node node) {
    if (node.resume(scheduler.timeline.now())) {
      scheduler.signalAll(node);
    }
  }

  /** Makes each call of a rank take this long; zero for as fast as the others. */
  public void slow(int rank, Duration perCall) {
    scheduler.scheduled(() -> network.node(rank).slow(perCall.toNanos()));
  }

  /** Has connections wait before a rank can accept them, though their makers see them connected. */
  public void slowAccept(int rank, Duration delay) {
    scheduler.scheduled(() -> network.node(rank).acceptDelay(delay.toNanos()));
  }
}
