package io.jgloo.transport.sim;

import java.util.ArrayList;
import java.util.List;

/** Which strands of a world could go on, and which wait for what; guarded by the world's lock. */
final class Strands {

  private final Timeline timeline;
  private final List<Strand> ready = new ArrayList<>();
  private final List<Strand> waiting = new ArrayList<>();

  Strands(Timeline timeline) {
    this.timeline = timeline;
  }

  boolean noneReady() {
    return ready.isEmpty();
  }

  boolean isEmpty() {
    return ready.isEmpty() && waiting.isEmpty();
  }

  void addReady(Strand strand) {
    ready.add(strand);
  }

  void addWaiting(Strand strand) {
    waiting.add(strand);
  }

  /** Wakes all that wait for this. */
  void wakeFor(Object what) {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (waiting.get(i).waitsFor == what) {
        wake(i);
      }
    }
  }

  /** Wakes all of a node, whatever they wait for. */
  void wakeAll(Node node) {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (waiting.get(i).node == node) {
        wake(i);
      }
    }
  }

  /** Wakes those whose condition has come true or whose thread was interrupted. */
  void wakeByThemselves() {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Strand strand = waiting.get(i);
      if (strand.wasInterrupted()
          || (strand.condition != null && strand.condition.getAsBoolean())) {
        wake(i);
      }
    }
  }

  private void wake(int index) {
    Strand strand = waiting.remove(index);
    strand.waitsFor = null;
    strand.condition = null;
    ready.add(strand);
  }

  /** Takes one that is ready, and whose node is not paused, by the dice; null if there is none. */
  Strand draw() {
    int eligible = 0;
    for (Strand strand : ready) {
      eligible += strand.node.isPaused() ? 0 : 1;
    }
    if (eligible == 0) {
      return null;
    }
    int left = eligible == 1 ? 0 : timeline.random(eligible);
    int at = 0;
    while (ready.get(at).node.isPaused() || left-- > 0) {
      at++;
    }
    return ready.remove(at);
  }

  /** The earliest deadline of those whose node is not paused. */
  long firstDeadline() {
    long first = Long.MAX_VALUE;
    for (Strand strand : waiting) {
      if (!strand.node.isPaused()) {
        first = Math.min(first, strand.deadline);
      }
    }
    return first;
  }

  /** Wakes one of those whose deadline has passed. */
  void wakeExpired() {
    for (int i = 0; i < waiting.size(); i++) {
      Strand strand = waiting.get(i);
      if (!strand.node.isPaused() && strand.deadline <= timeline.now()) {
        wake(i);
        return;
      }
    }
  }
}
