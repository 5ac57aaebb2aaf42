package io.jgloo.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What one caller at a time may expect of every {@link Store}; {@link StoreConcurrencyContract} has
 * the rest. A store's test extends that class and opens its handles.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StoreContract {
  /** Longer than any test may take. */
  protected static final Duration LONG = Duration.ofSeconds(100);

  /** Long enough for a store to be asked at least once, short enough to be waited for. */
  protected static final Duration SHORT = Duration.ofMillis(60);

  private final List<Store> opened = new ArrayList<>();

  /** A further handle of the store of this test, with {@link #LONG} as its timeout. */
  protected abstract Store open() throws Exception;

  /** Ends what {@link #open} needs besides handles. */
  protected void dispose() throws Exception {}

  /** A handle that is closed after the test. */
  protected final Store handle() {
    try {
      Store store = open();
      opened.add(store);
      return store;
    } catch (Exception e) {
      throw new AssertionError("cannot open a store", e);
    }
  }

  @AfterEach
  final void closeAll() throws Exception {
    opened.forEach(Store::close);
    dispose();
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  protected static void assertValue(String expected, byte[] actual) {
    assertEquals(expected, new String(actual, UTF_8));
  }

  @Test
  void set_isReadByGet() {
    Store writer = handle();
    Store reader = handle();
    writer.set("k", bytes("v1"));
    assertValue("v1", reader.get("k"));
    writer.set("k", bytes("v2"));
    writer.set("k", bytes("v2"));
    assertValue("v2", reader.get("k"));
    writer.set("k", new byte[0]);
    assertEquals(0, reader.get("k").length);
    assertTrue(reader.check(List.of("k")));
  }

  @Test
  void values_areAnyBytesOfAnyLength() {
    Store writer = handle();
    Store reader = handle();
    Random random = new Random(1);
    for (int length : new int[] {1, 255, 4096, 4097, 65_536, 1 << 20, Store.MAX_VALUE_BYTES}) {
      byte[] value = new byte[length];
      random.nextBytes(value);
      writer.set("big", value);
      assertArrayEquals(value, reader.get("big"));
    }
  }

  @Test
  void keys_areAnyText() {
    Store store = handle();
    Map<String, String> entries = new TreeMap<>();
    String[] keys = {
      "",
      "/",
      "-x",
      "a/b",
      "a//b",
      "..",
      "../x",
      ".lock",
      ".tmp",
      "nul\0nul",
      "UPPER",
      "upper",
      "%",
      "%41",
      "a b",
      "\u00fc\u6f22\ud83d\ude00",
      "~",
      "x".repeat(150),
      "x".repeat(151),
      "y".repeat(4000) + "1",
      "y".repeat(4000) + "2",
      "\u6f22".repeat(1000)
    };
    for (String key : keys) {
      entries.put(key, "value of " + key);
      store.set(key, bytes("value of " + key));
    }
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      assertValue(entry.getValue(), store.get(entry.getKey(), Duration.ZERO));
    }
    for (String key : keys) {
      assertTrue(store.deleteKey(key), key);
    }
  }

  @Test
  void invalidArguments_areRefused() {
    Store store = handle();
    byte[] value = {1};
    byte[] tooLong = new byte[Store.MAX_VALUE_BYTES + 1];
    List<String> badKeys = new ArrayList<>();
    badKeys.add(null);
    badKeys.add("lone \ud800 surrogate");
    badKeys.add("k".repeat(Store.MAX_KEY_BYTES + 1));
    badKeys.add("\u00fc".repeat(Store.MAX_KEY_BYTES / 2 + 1));
    for (String key : badKeys) {
      List<String> keys = new ArrayList<>();
      keys.add(key);
      assertRefused(() -> store.set(key, value));
      assertRefused(() -> store.get(key));
      assertRefused(() -> store.wait(keys, store.timeout()));
      assertRefused(() -> store.check(keys));
      assertRefused(() -> store.multiGet(keys, store.timeout()));
      assertRefused(() -> store.add(key, 1));
      assertRefused(() -> store.compareSet(key, value, value));
      assertRefused(() -> store.deleteKey(key));
      assertRefused(() -> store.append(key, value));
    }
    assertRefused(() -> store.set("k", null));
    assertRefused(() -> store.set("k", tooLong));
    assertRefused(() -> store.append("k", tooLong));
    assertRefused(() -> store.compareSet("k", null, value));
    assertRefused(() -> store.compareSet("k", value, tooLong));
    assertRefused(() -> store.get("k", Duration.ofNanos(-1)));
    assertRefused(() -> store.wait(List.of("k"), Duration.ofSeconds(-1)));
    assertRefused(() -> store.get("k", null));
    assertFalse(store.check(List.of("k")));
  }

  private static void assertRefused(org.junit.jupiter.api.function.Executable call) {
    assertThrows(IllegalArgumentException.class, call);
  }

  @Test
  void arrays_areCopied() {
    Store store = handle();
    byte[] value = bytes("value");
    store.set("k", value);
    value[0] = 'X';
    store.get("k")[1] = 'X';
    assertValue("value", store.get("k"));
    byte[] swapped = bytes("other");
    store.compareSet("k", bytes("value"), swapped)[0] = 'X';
    swapped[1] = 'X';
    assertValue("other", store.get("k"));
  }

  @Test
  void timeout_namesTheMissingKeysAndLeavesTheHandleUsable() {
    Store store = handle();
    store.set("there", bytes("1"));
    for (Duration timeout : List.of(Duration.ZERO, Duration.ofNanos(1), SHORT)) {
      StoreTimeoutException missing =
          assertThrows(
              StoreTimeoutException.class, () -> store.wait(List.of("m2", "there", "m1"), timeout));
      assertEquals(2, missing.keys().size());
      assertTrue(missing.keys().get(0).endsWith("m2"), missing.keys().toString());
      assertTrue(missing.keys().get(1).endsWith("m1"), missing.keys().toString());
      String limit = "timeout after " + Deadline.millis(timeout) + "ms,";
      assertTrue(missing.getMessage().contains(limit), missing.getMessage());
      assertFalse(store.await(List.of("m2", "there", "m1"), timeout));
      assertFalse(store.await(List.of("m1"), timeout));
      assertThrows(StoreTimeoutException.class, () -> store.get("m1", timeout));
      assertThrows(
          StoreTimeoutException.class, () -> store.multiGet(List.of("there", "m1"), timeout));
      assertValue("1", store.get("there", timeout));
    }
    store.set("m1", bytes("2"));
    assertValue("2", store.get("m1"));
    assertTrue(store.await(List.of("there", "m1"), Duration.ZERO));
    assertTrue(store.await(List.of("there", "m1"), SHORT));
  }

  @Test
  void timeout_isNotEarly() {
    Store store = handle();
    long start = System.nanoTime();
    assertThrows(StoreTimeoutException.class, () -> store.get("missing", SHORT));
    assertTrue(System.nanoTime() - start >= SHORT.toNanos());
  }

  @Test
  void waitForNoKeys_returnsAtOnce() {
    Store store = handle();
    store.wait(List.of(), Duration.ZERO);
    store.wait(List.of(), store.timeout());
    assertTrue(store.await(List.of(), Duration.ZERO));
    assertTrue(store.check(List.of()));
    assertEquals(List.of(), store.multiGet(List.of(), store.timeout()));
  }

  @Test
  void add_counts() {
    Store store = handle();
    assertEquals(5, store.add("c", 5));
    assertEquals(-2, store.add("c", -7));
    assertEquals(-2, handle().add("c", 0));
    assertValue("-2", store.get("c"));
    assertEquals(0, store.add("zero", 0));
    assertTrue(store.check(List.of("zero")));
    store.set("text", bytes(" \t12abc"));
    assertEquals(13, store.add("text", 1));
    assertValue("13", store.get("text"));
    store.set("max", bytes(Long.toString(Long.MAX_VALUE)));
    assertEquals(Long.MIN_VALUE, store.add("max", 1));
  }

  @Test
  void addToAnInvalidNumber_isRefused() {
    Store store = handle();
    for (String text : List.of("", "abc", "-", " ", "9223372036854775808")) {
      store.set("k", bytes(text));
      StoreException e = assertThrows(StoreException.class, () -> store.add("k", 1), text);
      assertEquals(StoreException.class, e.getClass(), e.toString());
      assertValue(text, store.get("k"));
    }
    assertEquals(1, store.add("c", 1));
  }

  @Test
  void compareSet_exchanges() {
    Store store = handle();
    assertValue("x", store.compareSet("k", bytes("x"), bytes("y")));
    assertFalse(store.check(List.of("k")));
    assertValue("a", store.compareSet("k", new byte[0], bytes("a")));
    assertValue("a", store.compareSet("k", new byte[0], bytes("b")));
    assertValue("a", store.compareSet("k", bytes("x"), bytes("b")));
    assertValue("b", store.compareSet("k", bytes("a"), bytes("b")));
    assertValue("b", handle().get("k"));
    assertValue("", store.compareSet("k", bytes("b"), new byte[0]));
    assertValue("c", store.compareSet("k", new byte[0], bytes("c")));
    assertValue("c", store.get("k"));
  }

  @Test
  void deletedKey_doesNotExist() {
    Store store = handle();
    Store other = handle();
    assertFalse(store.deleteKey("k"));
    store.set("k", bytes("1"));
    store.set("l", bytes("2"));
    assertTrue(other.deleteKey("k"));
    assertFalse(store.deleteKey("k"));
    assertFalse(store.check(List.of("k")));
    assertThrows(StoreTimeoutException.class, () -> store.get("k", Duration.ZERO));
    assertEquals(1, store.add("k", 1));
  }

  @Test
  void check_requiresAllKeys() {
    Store store = handle();
    store.set("a", bytes("1"));
    assertFalse(store.check(List.of("a", "b")));
    assertFalse(store.check(List.of("b", "a")));
    store.set("b", bytes("1"));
    assertTrue(store.check(List.of("a", "b", "a")));
  }

  @Test
  void append_concatenates() {
    Store store = handle();
    store.append("k", bytes("po"));
    store.append("k", bytes("ta"));
    handle().append("k", bytes("to"));
    assertValue("potato", store.get("k"));
    store.set("full", new byte[Store.MAX_VALUE_BYTES]);
    store.append("full", new byte[0]);
    assertEquals(Store.MAX_VALUE_BYTES, store.get("full").length);
  }

  @Test
  void multiGet_readsManyKeys() {
    Store store = handle();
    Map<String, byte[]> entries = new TreeMap<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      entries.put("key" + i, bytes("value" + i));
      keys.add(0, "key" + i);
    }
    entries.put("empty", new byte[0]);
    keys.add("empty");
    keys.add("key7");
    entries.forEach(store::set);
    List<byte[]> values = handle().multiGet(keys, handle().timeout());
    assertEquals(keys.size(), values.size());
    for (int i = 0; i < keys.size(); i++) {
      assertArrayEquals(entries.get(keys.get(i)), values.get(i), keys.get(i));
    }
  }

  @Test
  void closedHandle_refusesCalls() {
    Store store = handle();
    store.set("k", bytes("1"));
    closeForGood(store);
    closeForGood(store);
    Class<? extends Throwable> closed = io.jgloo.transport.ClosedException.class;
    assertThrows(closed, () -> store.set("k", bytes("2")));
    assertThrows(closed, () -> store.get("k"));
    assertThrows(closed, () -> store.wait(List.of("k", "l"), store.timeout()));
    assertThrows(closed, () -> store.add("k", 1));
    assertThrows(closed, () -> store.check(List.of("k")));
    assertThrows(closed, () -> store.deleteKey("k"));
    assertThrows(closed, () -> store.compareSet("k", bytes("1"), bytes("2")));
  }

  /** Closes a handle and what it stands on. */
  protected void closeForGood(Store store) {
    store.close();
    if (store instanceof PrefixStore prefixed) {
      closeForGood(prefixed.underlying());
    }
  }
}
