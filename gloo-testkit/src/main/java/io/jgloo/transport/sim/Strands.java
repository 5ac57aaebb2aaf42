package io.jgloo.transport.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The strands of a world that could continue, and those that wait; guarded by the world's lock. */
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

  List<Strand> waiting() {
    return waiting;
  }

  void addReady(Strand strand) {
    ready.add(strand);
  }

  void addWaiting(Strand strand) {
    waiting.add(strand);
  }

  /** Lets waiting strands continue that meet a condition. */
  void wake(Predicate<Strand> which) {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (which.test(waiting.get(i))) {
        Strand strand = waiting.remove(i);
        strand.waitsFor = null;
        strand.condition = null;
        ready.add(strand);
      }
    }
  }

  /** Takes one that is ready, and whose node is not paused, at random; null if there is none. */
  @Nullable Strand draw() {
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

  /** The waiting strand with the earliest deadline of those whose node is not paused, or null. */
  @Nullable Strand nextLate() {
    @Nullable Strand first = null;
    for (Strand strand : waiting) {
      boolean earlier = strand.deadline < (first == null ? Long.MAX_VALUE : first.deadline);
      first = earlier && !strand.node.isPaused() ? strand : first;
    }
    return first;
  }

  /** Forgets all, and hands each to an action. */
  void drain(Consumer<Strand> action) {
    ready.forEach(action);
    waiting.forEach(action);
    ready.clear();
    waiting.clear();
  }
}
