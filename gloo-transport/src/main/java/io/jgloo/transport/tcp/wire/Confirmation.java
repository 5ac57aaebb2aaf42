package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Handshake message 3, from the side that dialled after a {@link Welcome}: this attempt is valid.
 * Big-endian, 8 bytes:
 *
 * <pre>
 *    0  8 bytes  "JGLOOGO" 2, or 3 if the pair's bytes go through the memory that was offered
 * </pre>
 *
 * <p>Without it, the listening side may accept an attempt that the dialling side drops at the same
 * moment, take it for the pair, and find its peer lost: starts of 32 processes on 2 cores have
 * failed this way. Rejected alternative: to ask the kernel for the state of the connection before
 * the welcome, which leaves the time after it.
 */
public final class Confirmation {

  public static final int BYTES = 8;

  private static final long WORD = 0x4a474c4f4f474f02L;
  private static final long MEMORY_WORD = 0x4a474c4f4f474f03L;

  private Confirmation() {}

  /**
   * @param memory whether bytes go through shared memory from here on
   */
  public static byte[] encode(boolean memory) {
    return ByteBuffer.allocate(BYTES).putLong(memory ? MEMORY_WORD : WORD).array();
  }

  /**
   * Whether bytes go through shared memory from here on.
   *
   * @param attached whether this side has attached memory that was offered
   * @throws ProtocolException if the bytes are something else
   */
  public static boolean decode(byte[] bytes, boolean attached) {
    long word = ByteBuffer.wrap(bytes).getLong();
    if (word != WORD && !(attached && word == MEMORY_WORD)) {
      throw new ProtocolException("the third handshake message is not a confirmation");
    }
    return word == MEMORY_WORD;
  }
}
