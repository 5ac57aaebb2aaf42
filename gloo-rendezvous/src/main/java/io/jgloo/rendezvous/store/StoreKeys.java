package io.jgloo.rendezvous.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that all implementations of {@link Store} share: keys and values that are allowed, the
 * text of a counter, the result of an append.
 */
public final class StoreKeys {
  private StoreKeys() {}

  /** Checks a key and returns its UTF-8 bytes. */
  public static byte[] encode(String key) {
    if (key == null) {
      throw new IllegalArgumentException("key must not be null");
    }
    ByteBuffer bytes;
    try {
      // The strict encoder: getBytes would turn every lone surrogate into the same '?'.
      bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("key is not valid Unicode: " + shown(key), e);
    }
    if (bytes.remaining() > Store.MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "key has %d bytes, more than %d: %s",
              bytes.remaining(), Store.MAX_KEY_BYTES, shown(key)));
    }
    byte[] encoded = new byte[bytes.remaining()];
    bytes.get(encoded);
    return encoded;
  }

  /** Refuses a key that {@link #encode} would refuse. */
  public static String require(String key) {
    encode(key);
    return key;
  }

  /** Checks keys and returns them as an immutable list. */
  public static List<String> requireAll(Collection<String> keys) {
    if (keys == null) {
      throw new IllegalArgumentException("keys must not be null");
    }
    if (keys.size() > Store.MAX_KEYS) {
      throw new IllegalArgumentException(
          "keys has " + keys.size() + " elements, more than " + Store.MAX_KEYS);
    }
    keys.forEach(StoreKeys::require);
    return List.copyOf(keys);
  }

  /** Refuses a value that is too long. */
  public static byte[] requireValue(byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException("value must not be null");
    }
    if (value.length > Store.MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value has " + value.length + " bytes, more than " + Store.MAX_VALUE_BYTES);
    }
    return value;
  }

  /**
   * The value of {@code key} after an append.
   *
   * @param first the stored value, {@code null} for a missing key
   * @throws StoreException if a value may not be that long
   */
  public static byte[] concat(String key, byte @Nullable [] first, byte[] second) {
    if (first == null) {
      return second;
    }
    if ((long) first.length + second.length > Store.MAX_VALUE_BYTES) {
      throw new StoreException(
          "append makes '" + shown(key) + "' longer than " + Store.MAX_VALUE_BYTES + " bytes");
    }
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /**
   * The value of a counter after an addition, as C's strtoll reads it.
   *
   * @param text the stored value, {@code null} for a missing key
   * @throws StoreException if {@code text} does not begin with a 64-bit number
   */
  public static long sum(String key, byte @Nullable [] text, long delta) {
    return (text == null ? 0 : parse(key, text)) + delta;
  }

  /** The text in which {@link Store#add} keeps a counter. */
  public static byte[] text(long counter) {
    return Long.toString(counter).getBytes(StandardCharsets.US_ASCII);
  }

  private static long parse(String key, byte[] text) {
    int at = 0;
    while (at < text.length && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) {
      at++;
    }
    int start = at;
    if (at < text.length && (text[at] == '-' || text[at] == '+')) {
      at++;
    }
    int digits = at;
    while (at < text.length && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    try {
      if (at > digits) {
        return Long.parseLong(new String(text, start, at - start, StandardCharsets.US_ASCII));
      }
    } catch (NumberFormatException e) {
      throw new StoreException("value of '" + shown(key) + "' exceeds 64 bits", e);
    }
    throw new StoreException("value of '" + shown(key) + "' is not a number");
  }

  /** A key cut to a length that fits in a message. */
  public static String shown(String key) {
    return key.length() <= 120 ? key : key.substring(0, 120) + "...";
  }
}
