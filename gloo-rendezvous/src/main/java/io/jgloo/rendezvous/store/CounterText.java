package io.jgloo.rendezvous.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The decimal text in which {@link Store#add} keeps a counter, read as C's strtoll reads it. */
public final class CounterText {
  private CounterText() {}

  /**
   * The value of a counter after {@code delta}.
   *
   * @param text the stored value, {@code null} for a missing key
   * @throws StoreException if {@code text} does not begin with a 64-bit number
   */
  public static long plus(String key, byte @Nullable [] text, long delta) {
    return (text == null ? 0 : parse(key, text)) + delta;
  }

  public static byte[] format(long value) {
    return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
  }

  private static long parse(String key, byte[] text) {
    int at = 0;
    while (at < text.length && isBlank(text[at])) {
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
      throw new StoreException("value of '" + StoreKeys.shown(key) + "' exceeds 64 bits", e);
    }
    throw new StoreException("value of '" + StoreKeys.shown(key) + "' is not a number");
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }
}
