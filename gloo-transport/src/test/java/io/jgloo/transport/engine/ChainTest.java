package io.jgloo.transport.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A chain is a list, whichever end is touched. */
@Timeout(60)
class ChainTest {

  private static final class Bead extends Chain.Linked<Bead> {}

  private final Chain<Bead> chain = new Chain<>();
  private final List<Bead> list = new ArrayList<>();

  @Test
  void isAListWhateverIsDone() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      change(random);
      assertEquals(list, beads(chain), "seed " + seed + ", change " + i);
      assertEquals(list.isEmpty(), chain.isEmpty());
      assertSame(list.isEmpty() ? null : list.get(0), chain.first());
    }
  }

  private void change(Random random) {
    Bead bead = new Bead();
    int place = random.nextInt(list.size() + 1);
    switch (random.nextInt(list.size() > 12 ? 6 : 4)) {
      case 0 -> {
        chain.add(bead);
        list.add(bead);
      }
      case 1 -> {
        chain.addFirst(bead);
        list.add(0, bead);
      }
      case 2 -> assertSame(list.isEmpty() ? null : list.remove(0), chain.poll());
      case 3 -> assertFalse(chain.remove(bead));
      default -> assertTrue(chain.remove(list.remove(place % list.size())));
    }
  }

  @Test
  void drainedInOrderIntoAnother() {
    Chain<Bead> other = new Chain<>();
    for (int i = 0; i < 5; i++) {
      Bead bead = new Bead();
      chain.add(bead);
      list.add(bead);
    }
    chain.drain(other::add);
    assertTrue(chain.isEmpty());
    assertNull(chain.poll());
    assertEquals(list, beads(other));
    chain.add(other.poll()); // an end that was taken out is an end no more
    assertEquals(list.subList(0, 1), beads(chain));
  }

  private static List<Bead> beads(Chain<Bead> chain) {
    List<Bead> beads = new ArrayList<>();
    for (Bead bead = chain.first(); bead != null; bead = bead.next()) {
      beads.add(bead);
    }
    return beads;
  }
}
