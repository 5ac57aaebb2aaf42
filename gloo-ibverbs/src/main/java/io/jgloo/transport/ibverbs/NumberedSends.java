package io.jgloo.transport.ibverbs;

import io.jgloo.transport.engine.Outgoing;
import java.util.Arrays;

/** Announced messages by their number at the peer. */
final class NumberedSends {

  private Outgoing[] byNumber = new Outgoing[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  /** Gives a message its number. */
  void add(Outgoing out) {
    if (freeCount > 0) {
      out.number = free[--freeCount];
    } else {
      if (used == byNumber.length) {
        byNumber = Arrays.copyOf(byNumber, 2 * used);
        free = Arrays.copyOf(free, 2 * used);
      }
      out.number = used++;
    }
    byNumber[out.number] = out;
  }

  /** The message of a number, or null. */
  Outgoing find(int number) {
    return number < 0 || number >= used ? null : byNumber[number];
  }

  void remove(Outgoing out) {
    byNumber[out.number] = null;
    free[freeCount++] = out.number;
  }
}
