package io.jgloo.rendezvous.store.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters are woken exactly when all their keys exist at once, and bytes are counted. */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreTableTest {
  private static final byte[] VALUE = {1};

  private static final class Counting extends StoreTable.Waiter {
    private final Set<String> wanted;
    private int woken;

    Counting(String... keys) {
      super(keys);
      wanted = Set.of(keys);
    }

    @Override
    public void ready() {
      woken++;
    }
  }

  @Test
  void keyDeletedMeanwhile_isWaitedForAgain() {
    StoreTable table = new StoreTable(Long.MAX_VALUE);
    Counting waiter = new Counting("a", "b", "c");
    assertFalse(table.await(waiter));
    table.set("b", VALUE);
    table.set("a", VALUE);
    table.delete("b");
    table.set("c", VALUE);
    assertEquals(0, waiter.woken);
    table.delete("a");
    table.push("b", VALUE);
    assertEquals(0, waiter.woken);
    table.set("a", VALUE);
    assertEquals(1, waiter.woken);
    table.delete("a");
    table.set("a", VALUE);
    assertEquals(1, waiter.woken);
  }

  @Test
  void forgottenWaiter_isNotWoken() {
    StoreTable table = new StoreTable(Long.MAX_VALUE);
    Counting waiter = new Counting("a", "b");
    table.await(waiter);
    table.set("a", VALUE);
    table.forget(waiter);
    table.set("b", VALUE);
    assertEquals(0, waiter.woken);
    table.forget(new Counting());
  }

  /** After every step, exactly the waiters whose keys all exist are woken. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomOperations_wakeTheWaitersWhoseKeysExist(long seed) {
    Random random = new Random(seed);
    StoreTable table = new StoreTable(Long.MAX_VALUE);
    Set<String> values = new HashSet<>();
    List<String> queues = new ArrayList<>();
    List<Counting> waiting = new ArrayList<>();
    for (int step = 0; step < 5_000; step++) {
      String key = "k" + random.nextInt(6);
      switch (random.nextInt(6)) {
        case 0 -> {
          table.set(key, VALUE);
          values.add(key);
        }
        case 1 -> {
          table.delete(key);
          values.remove(key);
          queues.removeIf(key::equals);
        }
        case 2 -> {
          table.push(key, VALUE);
          queues.add(key);
        }
        case 3 -> assertEquals(queues.remove(key), table.pop(key) != null);
        case 4 -> {
          Counting waiter = new Counting(key, "k" + (key.charAt(1) - '0' + 1 + random.nextInt(4)));
          if (!table.await(waiter)) {
            waiting.add(waiter);
          }
        }
        default -> {
          if (!waiting.isEmpty()) {
            table.forget(waiting.remove(random.nextInt(waiting.size())));
          }
        }
      }
      Set<String> present = new HashSet<>(values);
      present.addAll(queues);
      for (Counting waiter : List.copyOf(waiting)) {
        int expected = present.containsAll(waiter.wanted) ? 1 : 0;
        assertEquals(expected, waiter.woken, "seed " + seed + ", step " + step);
        if (expected == 1) {
          waiting.remove(waiter);
        }
      }
    }
  }

  @Test
  void deletedEntries_releaseTheirBytes() {
    StoreTable table = new StoreTable(1000);
    table.set("a", new byte[100]);
    table.set("a", new byte[300]);
    table.set("a", new byte[350]);
    table.push("q", new byte[10]);
    table.push("q", new byte[10]);
    long held = table.bytes();
    assertTrue(held > 370);
    assertThrows(TableFullException.class, () -> table.set("b", new byte[700]));
    assertThrows(TableFullException.class, () -> table.set("a", new byte[1050]));
    assertThrows(TableFullException.class, () -> table.push("q", new byte[700]));
    assertEquals(held, table.bytes());
    assertFalse(table.contains("b"));
    table.pop("q");
    table.delete("q");
    table.delete("a");
    assertEquals(0, table.bytes());
  }
}
