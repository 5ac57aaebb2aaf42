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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A chain by slot is a list in which the nodes of a slot are found without a search. */
@Timeout(60)
class SlotChainTest {

  private static final class Bead implements SlotChain.Node {
    private final long slot;
    private final int number;

    Bead(long slot, int number) {
      this.slot = slot;
      this.number = number;
    }

    @Override
    public long slot() {
      return slot;
    }
  }

  private final SlotChain<Bead> chain = new SlotChain<>();
  private final List<Bead> list = new ArrayList<>();

  @ParameterizedTest(name = "{0} slots")
  @ValueSource(ints = {1, 3, 1000})
  void randomChanges_agreeWithAList(int slots) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 5000; i++) {
      change(new Bead(random.nextInt(slots), i), random);
      String replay = "seed " + seed + ", change " + i;
      long slot = random.nextInt(slots);
      assertSame(list.isEmpty() ? null : list.get(0), chain.first(), replay);
      assertEquals(list.isEmpty(), chain.isEmpty(), replay);
      assertEquals(list.stream().filter(bead -> bead.slot == slot).toList(), of(slot), replay);
      if (i % 16 == 0) {
        List<Bead> inOrder = new ArrayList<>();
        chain.forEach(inOrder::add);
        assertEquals(list, inOrder, replay);
      }
    }
  }

  private void change(Bead bead, Random random) {
    switch (random.nextInt(list.size() > 200 ? 9 : 6)) {
      case 0, 1 -> {
        chain.add(bead);
        list.add(bead);
      }
      case 2 -> {
        chain.addFirst(bead);
        list.add(0, bead);
      }
      case 3, 4 -> {
        SlotChain.Place<Bead> at = chain.at(bead.slot);
        SlotChain.Place<Bead> other = at == null || at.next() == null ? at : at.next();
        list.add(other == null ? list.size() : list.indexOf(other.node()), bead);
        chain.addBefore(other, bead);
      }
      case 5 -> assertFalse(chain.remove(bead));
      case 6 -> assertSame(list.remove(0), chain.poll());
      default -> assertTrue(chain.remove(list.remove(random.nextInt(list.size()))));
    }
  }

  private List<Bead> of(long slot) {
    List<Bead> found = new ArrayList<>();
    for (SlotChain.Place<Bead> at = chain.at(slot); at != null; at = at.next()) {
      found.add(at.node());
    }
    return found;
  }

  /** A linear search would take minutes. */
  @Test
  void manySlots_areFoundAndTakenOut() {
    int count = 1 << 18;
    for (int i = 0; i < count; i++) {
      chain.add(new Bead((long) i << 40 | i, i));
    }
    for (int i = count - 1; i >= 0; i--) {
      Bead bead = chain.find((long) i << 40 | i);
      assertEquals(i, bead.number);
      assertTrue(chain.remove(bead));
    }
    assertTrue(chain.isEmpty());
    assertNull(chain.poll());
  }

  @Test
  void drain_keepsTheOrder() {
    for (int i = 0; i < 100; i++) {
      Bead bead = new Bead(i % 3, i);
      chain.add(bead);
      list.add(bead);
    }
    List<Bead> drained = new ArrayList<>();
    chain.drain(drained::add);
    assertEquals(list, drained);
    assertTrue(chain.isEmpty());
  }
}
