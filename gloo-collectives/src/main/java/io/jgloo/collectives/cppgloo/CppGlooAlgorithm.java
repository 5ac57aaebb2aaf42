package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * An algorithm that there is for the sake of ranks of C++ Gloo, and that is never chosen by its
 * predicted time.
 */
interface CppGlooAlgorithm extends Algorithm {
  /** What rank 0 sends, one message after another: an estimate that nothing depends on. */
  @Override
  default Cost cost(Shape shape) {
    Schedule schedule = schedule(shape, 0);
    long messages = 0;
    long bytes = 0;
    for (int op = 0; op < schedule.operations(); op++) {
      boolean sent = schedule.kind(op) == Schedule.Kind.SEND;
      messages += sent ? 1 : 0;
      bytes += sent ? schedule.length(op) : 0;
    }
    return new Cost(messages, messages, bytes, bytes, collective().reduces() ? bytes : 0);
  }
}
