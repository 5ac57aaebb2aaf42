package io.jgloo.bench.compare;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Two threads that pass a word to and fro, spinning: what no message can be faster than. */
final class Handoff {

  private static final int ROUNDS = 50;
  private static final int TURNS = 2_000;
  private static final long PATIENCE_NANOS = 2_000_000_000;

  private final AtomicLong word = new AtomicLong();
  private final long end = System.nanoTime() + PATIENCE_NANOS;

  private Handoff() {}

  /** Median over rounds of one way, in microseconds. */
  static double micros() throws InterruptedException {
    Handoff handoff = new Handoff();
    long turns = (long) ROUNDS * TURNS;
    Thread other = new Thread(() -> handoff.answer(turns), "hand-off");
    other.start();
    double[] micros = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (long turn = 0; turn < TURNS; turn++) {
        long odd = 2 * (round * (long) TURNS + turn) + 1;
        handoff.word.set(odd);
        handoff.await(odd + 1);
      }
      micros[round] = (System.nanoTime() - start) / 1e3 / TURNS / 2;
    }
    other.join();
    Arrays.sort(micros);
    return micros[ROUNDS / 2];
  }

  private void answer(long turns) {
    for (long turn = 0; turn < turns; turn++) {
      await(2 * turn + 1);
      word.set(2 * turn + 2);
    }
  }

  /** On a single core nobody would ever answer a thread that only spins. */
  private void await(long value) {
    while (word.get() < value) {
      if (System.nanoTime() - end > 0) {
        LockSupport.parkNanos(1);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
