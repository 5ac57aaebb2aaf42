package io.jgloo.transport.sim;

import io.jgloo.transport.tcp.socket.Pollable;
import io.jgloo.transport.tcp.socket.Poller;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports which simulated sockets are ready, as epoll or as a selector does.
 *
 * <p>As epoll, edge-triggered: a socket is looked at once after each thing that has happened to it,
 * and reported with all that is so then. What its owner does not take in is not reported again. As
 * a selector, level-triggered: it is reported in each poll as long as it is ready, and what is
 * asked for is changed by the reports.
 *
 * <p><i>Threads</i>: any; guarded by the world's lock.
 */
final class SimPoller extends Poller {

  /** What the kernel needs for a look. */
  private static final int CALL_NANOS = 300;

  private final SimSockets sockets;
  private final Scheduler scheduler;
  private final List<Key> keys = new ArrayList<>();
  private final List<Key> queue = new ArrayList<>();
  private boolean awake;
  private boolean closed;

  SimPoller(SimSockets sockets) {
    this.sockets = sockets;
    scheduler = sockets.scheduler();
  }

  @Override
  public void add(Pollable pollable) {
    scheduler.scheduled(
        () -> {
          Key key =
              pollable instanceof SimLink link
                  ? link.register(this)
                  : ((SimAcceptor) pollable).register(this);
          keys.add(key);
          key.interest(key.interest());
        });
  }

  @Override
  protected void detach(Pollable pollable) {
    scheduler.scheduled(
        () -> {
          for (Key key : keys) {
            if (key.pollable == pollable) {
              key.cancel();
            }
          }
          keys.removeIf(key -> !key.isValid());
          queue.removeIf(key -> !key.isValid());
        });
  }

  /** A key's socket is to be looked at. */
  void queue(Key key) {
    if (!key.queued) {
      key.queued = true;
      queue.add(key);
    }
    scheduler.signal(this);
  }

  @Override
  public void poll(long timeoutNanos) {
    scheduler.point(CALL_NANOS);
    scheduler.lock.lock();
    try {
      collect();
      long until = timeoutNanos > 0 ? scheduler.after(timeoutNanos) : Long.MIN_VALUE;
      while (!hasNext() && !awake && !isInterrupted() && scheduler.now() < until) {
        scheduler.block(this, null, until);
        collect();
      }
      if (timeoutNanos > 0 || !sockets.isEdgeTriggered()) {
        awake = false;
      }
    } finally {
      scheduler.lock.unlock();
    }
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  private void collect() {
    if (sockets.isEdgeTriggered()) {
      for (Key key : queue) {
        key.queued = false;
        int found = key.ready();
        if (found != 0) {
          reportEdge(key.pollable, found);
        }
      }
    } else {
      for (int i = 0; i < keys.size(); i++) {
        Key key = keys.get(i);
        int found = key.ready();
        key.queued = false;
        if (found != 0) {
          reportLevel(key, found);
        }
      }
    }
    queue.clear();
  }

  private void reportEdge(Pollable pollable, int found) {
    if ((found & (Key.END | Key.BROKEN)) != 0) {
      pollable.newsOfTheEnd();
    }
    boolean broken = (found & Key.BROKEN) != 0;
    pollable.news(broken || (found & (Key.IN | Key.END)) != 0, broken || (found & Key.OUT) != 0);
    report(pollable);
  }

  private void reportLevel(Key key, int found) {
    int ops = (found & Key.BROKEN) != 0 ? key.interest() : found;
    if (key.pollable instanceof SimLink link && link.isConnecting(key)) {
      link.connectReported(key);
      key.pollable.news(true, true);
    } else {
      key.pollable.news((ops & (Key.IN | Key.END)) != 0, (ops & Key.OUT) != 0);
    }
    report(key.pollable);
  }

  @Override
  public void wakeup() {
    scheduler.scheduled(
        () -> {
          awake = true;
          scheduler.signal(this);
        });
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "poller of " + sockets + (closed ? ", closed" : "");
  }
}
