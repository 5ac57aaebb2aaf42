package io.jgloo.transport;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with SHA-256 (RFC 5869), on the HMAC of the JDK. */
final class Hkdf {

  static final int HASH_BYTES = 32;

  private static final String HMAC = "HmacSHA256";
  private static final int MAX_BLOCKS = 255;

  private Hkdf() {}

  /** A pseudorandom key of 32 bytes. */
  static byte[] extract(byte[] salt, byte[] input) {
    return hmac(salt.length == 0 ? new byte[HASH_BYTES] : salt).doFinal(input);
  }

  /**
   * Key material.
   *
   * @param length bytes, at most 8160
   */
  static byte[] expand(byte[] pseudorandomKey, byte[] info, int length) {
    int blocks = (length + HASH_BYTES - 1) / HASH_BYTES;
    if (length < 0 || blocks > MAX_BLOCKS) {
      throw new IllegalArgumentException("length must be 0 to 8160, is " + length);
    }
    Mac mac = hmac(pseudorandomKey);
    byte[] output = new byte[blocks * HASH_BYTES];
    byte[] previous = {};
    for (int block = 1; block <= blocks; block++) {
      mac.update(previous);
      mac.update(info);
      mac.update((byte) block);
      previous = mac.doFinal();
      System.arraycopy(previous, 0, output, (block - 1) * HASH_BYTES, HASH_BYTES);
    }
    return Arrays.copyOf(output, length);
  }

  /** An HMAC-SHA256 with this key. */
  static Mac hmac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + HMAC, e);
    }
  }
}
