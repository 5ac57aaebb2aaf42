package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.engine.Platform;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * The first bytes of a connection between devices that have a job secret: each side sends a number
 * that has never been used. Big-endian, 40 bytes:
 *
 * <pre>
 *    0  8 bytes  "JGLOOA" 0 1     magic and version
 *    8  32 bytes nonce
 * </pre>
 *
 * <p>The dialling side begins. To its challenge the listening side appends 32 bytes, the proof that
 * it has the secret.
 */
public final class Challenge {

  public static final int BYTES = 40;

  public static final long MAGIC = 0x4a474c4f4f410001L;

  private Challenge() {}

  public static byte[] encode(byte[] nonce) {
    return ByteBuffer.allocate(BYTES).putLong(MAGIC).put(nonce).array();
  }

  /** The nonce of a challenge, which may be followed by other bytes. */
  public static byte[] nonce(byte[] challenge) {
    return Arrays.copyOfRange(challenge, Long.BYTES, BYTES);
  }

  public static byte[] newNonce(Platform platform) {
    ByteBuffer nonce = ByteBuffer.allocate(BYTES - Long.BYTES);
    while (nonce.hasRemaining()) {
      UUID random = platform.newIncarnation();
      nonce.putLong(random.getMostSignificantBits()).putLong(random.getLeastSignificantBits());
    }
    return nonce.array();
  }
}
