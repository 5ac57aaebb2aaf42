package io.jgloo.rendezvous.store.file;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of the file that holds a key in a {@link FileStore}: readable, the same on every system,
 * and safe against path tricks and file systems that ignore case.
 *
 * <p>{@code a-z 0-9 - _} stand for themselves, every other UTF-8 byte is {@code %xx}; the empty key
 * is {@code %}. A name longer than 200 characters is cut to 120 and gets {@code ~} and the SHA-256
 * of the key. No name begins with a dot: those are the store's own files.
 */
final class KeyFileName {
  private static final int LONGEST = 200; // 255 is what file systems allow; room for a suffix
  private static final int KEPT = 120;

  private KeyFileName() {}

  static String of(byte[] key) {
    StringBuilder name = new StringBuilder(key.length + 8);
    for (byte b : key) {
      if ((b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_') {
        name.append((char) b);
      } else {
        name.append('%').append(HexFormat.of().toHexDigits(b));
      }
    }
    if (name.length() <= LONGEST) {
      return name.isEmpty() ? "%" : name.toString();
    }
    return name.substring(0, KEPT) + "~" + HexFormat.of().formatHex(sha256(key));
  }

  private static byte[] sha256(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
