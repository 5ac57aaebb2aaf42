package io.jgloo.rpc.rref.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A persistent map behaves as a hash map, and no change reaches an older copy. */
@Timeout(60)
final class PersistentMapTest {

  /** Keys of which many have the same hash. */
  private record Key(int value) {
    @Override
    public int hashCode() {
      return value / 3;
    }
  }

  @Test
  void randomChanges_areTheOnesOfAHashMap() {
    Random random = new Random(1);
    PersistentMap<Key, Integer> map = PersistentMap.empty();
    Map<Key, Integer> expected = new HashMap<>();
    PersistentMap<Key, Integer> old = map;
    Map<Key, Integer> oldExpected = Map.of();
    for (int i = 0; i < 50_000; i++) {
      Key key = new Key(random.nextInt(1_000));
      if (random.nextBoolean()) {
        map = map.with(key, i);
        expected.put(key, i);
      } else {
        map = map.without(key);
        expected.remove(key);
      }
      assertEquals(expected.get(key), map.get(key));
      assertEquals(expected.size(), map.size());
      if (i == 25_000) {
        old = map;
        oldExpected = Map.copyOf(expected);
      }
    }
    assertEquals(expected, copy(map));
    assertEquals(oldExpected, copy(old), "an older copy has changed");
  }

  @Test
  void sameEntriesInAnyOrder_areEqual() {
    Random random = new Random(2);
    PersistentMap<Key, Integer> up = PersistentMap.empty();
    PersistentMap<Key, Integer> down = PersistentMap.empty();
    for (int i = 0; i < 1_000; i++) {
      up = up.with(new Key(i), i);
      down = down.with(new Key(999 - i), 999 - i).with(new Key(2_000 + random.nextInt(50)), i);
    }
    for (int i = 0; i < 50; i++) {
      down = down.without(new Key(2_000 + i));
    }
    assertEquals(up, down);
    assertEquals(up.hashCode(), down.hashCode());
    assertNotEquals(up, down.with(new Key(7), 8));
    assertNotEquals(up, down.without(new Key(7)));
  }

  private static Map<Key, Integer> copy(PersistentMap<Key, Integer> map) {
    Map<Key, Integer> copy = new HashMap<>();
    map.forEach(copy::put);
    return copy;
  }
}
