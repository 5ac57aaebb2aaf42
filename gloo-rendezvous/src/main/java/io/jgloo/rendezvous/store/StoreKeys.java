package io.jgloo.rendezvous.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of a store's operations, for every implementation of {@link Store}. */
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

  /** Refuses a number of callers of a barrier that is not positive. */
  public static int requireCallers(int callers) {
    if (callers < 1) {
      throw new IllegalArgumentException("callers must be 1 or more, is " + callers);
    }
    return callers;
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

  /** The exception of a read of {@code key} if it is a queue, where no wait would end. */
  public static StoreException notAValue(String key) {
    return new StoreException("'" + shown(key) + "' is a queue, not a value");
  }

  /** The exception of a pop from {@code key} if it is a value. */
  public static StoreException notAQueue(String key) {
    return new StoreException("'" + shown(key) + "' is a value, not a queue");
  }

  /** A key cut to a length that fits in a message. */
  public static String shown(String key) {
    return key.length() <= 120 ? key : key.substring(0, 120) + "...";
  }
}
