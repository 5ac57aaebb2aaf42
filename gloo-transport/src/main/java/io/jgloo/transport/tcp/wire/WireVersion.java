package io.jgloo.transport.tcp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jgloo.transport.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first 24 bytes of every {@link Hello} and {@link Welcome}, the same in all versions of the
 * wire from 4 on, so that ranks of different versions can report it:
 *
 * <pre>
 *    0  7 bytes  "JGLOO" 0 0
 *    7  u8       version of the wire
 *    8  16 bytes release, ASCII, zeros behind it
 * </pre>
 */
public final class WireVersion {

  /** Its bytes. */
  public static final int BYTES = 24;

  /** The release of JGloo, as in its POM. */
  public static final String RELEASE = "0.1.0-SNAPSHOT";

  /** "JGLOO", two zeros and the version. */
  public static final long MAGIC = 0x4a474c4f4f000004L;

  private static final int RELEASE_BYTES = 16;
  private static final long VERSION_MASK = 0xff;

  /** A peer that speaks another version of the wire. */
  public static final class OtherVersion extends IOException {
    private static final long serialVersionUID = 1L;

    private OtherVersion(String message) {
      super(message);
    }
  }

  private WireVersion() {}

  static ByteBuffer putInto(ByteBuffer out) {
    return out.putLong(MAGIC).put(Arrays.copyOf(RELEASE.getBytes(US_ASCII), RELEASE_BYTES));
  }

  /** Whether the first eight bytes are those of another version. */
  public static boolean isOther(byte[] first) {
    long magic = ByteBuffer.wrap(first).getLong();
    return magic != MAGIC && (magic | VERSION_MASK) == (MAGIC | VERSION_MASK);
  }

  /**
   * Checks the beginning of a welcome, as soon as it has arrived.
   *
   * @param length how many bytes have arrived
   * @throws ProtocolException if it is none
   * @throws OtherVersion if it is of another version
   */
  public static void requireWelcome(byte[] first, int length) throws OtherVersion {
    if (length >= Long.BYTES && ByteBuffer.wrap(first).getLong() != MAGIC && !isOther(first)) {
      throw new ProtocolException("the answer is not a welcome");
    }
    requireSame(first, length);
  }

  /**
   * Refuses a peer of another version.
   *
   * @param first bytes of a hello or a welcome
   * @param length how many have arrived
   * @throws OtherVersion if that many are enough to say so
   */
  public static void requireSame(byte[] first, int length) throws OtherVersion {
    if (length >= BYTES && isOther(first)) {
      throw new OtherVersion(
          ("it has release " + release(first) + ", wire version " + first[7])
              + (", but this rank has release " + RELEASE + ", wire version ")
              + ((MAGIC & VERSION_MASK) + ": use one release at all ranks"));
    }
  }

  /** Older versions have other bytes in its place. */
  private static String release(byte[] first) {
    int end = Long.BYTES;
    while (end < BYTES && first[end] > ' ' && first[end] < 0x7f) {
      end++;
    }
    return end == Long.BYTES
        ? "unknown"
        : new String(first, Long.BYTES, end - Long.BYTES, US_ASCII);
  }
}
