package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;
import java.util.Arrays;

/** Announced messages by the number that the peer knows them by. */
final class Announced {

  private Outgoing[] byNumber = new Outgoing[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  /** Gives a message its number. */
  void add(Outgoing out) {
    if (freeCount > 0) {
      out.message = free[--freeCount];
    } else {
      if (used == byNumber.length) {
        byNumber = Arrays.copyOf(byNumber, 2 * used);
        free = Arrays.copyOf(free, 2 * used);
      }
      out.message = used++;
    }
    byNumber[out.message] = out;
  }

  /** The message of a number, or null. */
  Outgoing find(int number) {
    return number < 0 || number >= used ? null : byNumber[number];
  }

  Outgoing find(IbverbsRequest request) {
    for (int i = 0; i < used; i++) {
      if (byNumber[i] != null && byNumber[i].request == request) {
        return byNumber[i];
      }
    }
    return null;
  }

  void remove(Outgoing out) {
    byNumber[out.message] = null;
    free[freeCount++] = out.message;
  }

  boolean hasRequest() {
    for (int i = 0; i < used; i++) {
      if (byNumber[i] != null && byNumber[i].request != null) {
        return true;
      }
    }
    return false;
  }

  void failAll(GlooException cause) {
    for (int i = 0; i < used; i++) {
      Outgoing out = byNumber[i];
      if (out != null && out.request != null && !out.request.isDone()) {
        out.request.fail(cause);
      }
      byNumber[i] = null;
    }
    used = 0;
    freeCount = 0;
  }
}
