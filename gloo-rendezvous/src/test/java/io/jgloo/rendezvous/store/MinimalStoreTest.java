package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user's store that has only what it owes can do all the same, by the defaults. */
@Timeout(60)
final class MinimalStoreTest {
  /** The mandatory methods, and nothing else. */
  private static final class Minimal implements Store {
    private final HashStore kept = new HashStore(Duration.ofSeconds(10));

    @Override
    public Duration timeout() {
      return kept.timeout();
    }

    @Override
    public void set(String key, byte[] value) {
      kept.set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
      return kept.get(key, timeout);
    }

    @Override
    public void wait(Collection<String> keys, Duration timeout) {
      kept.wait(keys, timeout);
    }

    @Override
    public long add(String key, long delta) {
      return kept.add(key, delta);
    }

    @Override
    public byte[] compareSet(String key, byte[] expected, byte[] desired) {
      return kept.compareSet(key, expected, desired);
    }

    @Override
    public boolean deleteKey(String key) {
      return kept.deleteKey(key);
    }

    @Override
    public boolean check(Collection<String> keys) {
      return kept.check(keys);
    }

    @Override
    public void close() {
      kept.close();
    }
  }

  private final Minimal minimal = new Minimal();

  @Test
  void manyKeysAtOnce_areReadOneByOne() {
    minimal.set("a", new byte[] {1});
    minimal.set("b", new byte[] {2});
    assertArrayEquals(new byte[] {2}, minimal.multiGet(List.of("b", "a"), Duration.ZERO).get(0));
    assertThrows(
        StoreTimeoutException.class, () -> minimal.multiGet(List.of("a", "c"), Duration.ZERO));
  }

  @Test
  void watch_worksOnTheDefaults() throws Exception {
    BlockingQueue<Integer> lengths = new LinkedBlockingQueue<>();
    try (StoreWatch watch =
        StoreWatch.start(minimal, "k", (key, before, after) -> lengths.add(after.length))) {
      minimal.set("k", new byte[3]);
      assertEquals(3, lengths.take());
      minimal.set("k", new byte[4]);
      assertEquals(4, lengths.take(), watch.toString());
    }
  }

  @Test
  void prefix_passesOnWhatTheStoreSupports() {
    PrefixStore prefixed = new PrefixStore("p", minimal);
    prefixed.set("foo", new byte[] {9});
    assertArrayEquals(new byte[] {9}, minimal.get("p/foo"));
    prefixed.barrier("b", 1);
    assertArrayEquals(new byte[] {'1'}, minimal.get("p/b/last_member"));
    assertThrows(UnsupportedOperationException.class, () -> prefixed.append("k", new byte[0]));
  }
}
