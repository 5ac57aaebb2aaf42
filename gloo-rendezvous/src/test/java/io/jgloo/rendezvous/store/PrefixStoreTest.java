package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** {@link PrefixStore} keeps the contract, and its keys to itself. */
final class PrefixStoreTest {
  @Test
  void nestedPrefixes_beginWithTheOuterOne() {
    try (HashStore store = new HashStore()) {
      PrefixStore inner = new PrefixStore("b", store);
      PrefixStore outer = new PrefixStore("a", inner);
      outer.set("k", new byte[] {7});
      assertArrayEquals(new byte[] {7}, store.get("b/a/k", Duration.ZERO));
      assertSame(inner, outer.underlying());
      assertSame(store, outer.root());
      new PrefixStore("0/", store).set("x", new byte[0]);
      assertTrue(store.check(List.of("0//x")));
    }
  }

  @Test
  void siblingPrefixes_doNotSeeEachOther() {
    try (HashStore store = new HashStore()) {
      PrefixStore p = new PrefixStore("p", store);
      PrefixStore pq = new PrefixStore("pq", store);
      pq.set("k", new byte[0]);
      store.set("p", new byte[0]);
      assertFalse(p.check(List.of("k")));
      assertFalse(p.deleteKey("k"));
      assertTrue(pq.check(List.of("k")));
    }
  }

  @Test
  void close_leavesTheUnderlyingStoreOpen() {
    try (HashStore store = new HashStore()) {
      new PrefixStore("p", store).close();
      store.set("k", new byte[0]);
      assertThrows(IllegalArgumentException.class, () -> new PrefixStore("p", null));
      assertThrows(IllegalArgumentException.class, () -> new PrefixStore(null, store));
    }
  }

  @Nested
  final class OnHashStore extends StoreConcurrencyContract {
    private final HashStore store = new HashStore(LONG);

    @Override
    protected Store open() {
      return new PrefixStore("p", new PrefixStore("q/", store));
    }

    @Override
    protected void dispose() {
      store.close();
    }
  }
}
