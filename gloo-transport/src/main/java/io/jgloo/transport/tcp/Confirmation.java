package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Handshake message 3, from the side that dialled after a {@link Welcome}: this attempt is valid.
 * Big-endian, 8 bytes:
 *
 * <pre>
 *    0  8 bytes  "JGLOOGO" 2
 * </pre>
 *
 * <p>Without it, the listening side may accept an attempt that the dialling side drops at the same
 * moment, take it for the pair, and find its peer lost: starts of 32 processes on 2 cores have
 * failed this way. Rejected alternative: to ask the kernel for the state of the connection before
 * the welcome, which leaves the time after it.
 */
final class Confirmation {

  static final int BYTES = 8;

  private static final long WORD = 0x4a474c4f4f474f02L;

  private Confirmation() {}

  static byte[] encode() {
    return ByteBuffer.allocate(BYTES).putLong(WORD).array();
  }

  /**
   * @throws ProtocolException if the bytes are something else
   */
  static void check(byte[] bytes) {
    if (ByteBuffer.wrap(bytes).getLong() != WORD) {
      throw new ProtocolException("the third handshake message is not a confirmation");
    }
  }
}
