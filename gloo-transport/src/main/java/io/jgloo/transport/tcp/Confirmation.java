package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;

/**
 * What the side that dialled says to a {@link Welcome}: this attempt counts. Big-endian, 8 bytes:
 *
 * <pre>
 *    0  8 bytes  "JGLOOGO" 2, or 3 if the pair's bytes go through the memory that was offered
 * </pre>
 *
 * <p>Without it, the side that listens may welcome an attempt that its dialler has given up in the
 * same moment, take it for the pair, and find its peer lost: starts of 32 processes on 2 cores have
 * failed so. The alternative that lost asks the kernel for the state of the connection before it is
 * welcomed, which leaves the moment after.
 */
final class Confirmation {

  static final int BYTES = 8;

  private static final long WORD = 0x4a474c4f4f474f02L;
  private static final long MEMORY_WORD = 0x4a474c4f4f474f03L;

  private Confirmation() {}

  /**
   * @param memory whether bytes go through shared memory from here on
   */
  static byte[] encode(boolean memory) {
    return ByteBuffer.allocate(BYTES).putLong(memory ? MEMORY_WORD : WORD).array();
  }

  /**
   * Whether bytes go through shared memory from here on.
   *
   * @param attached whether this side has attached memory that was offered
   * @throws ProtocolException if the bytes are something else
   */
  static boolean decode(byte[] bytes, boolean attached) {
    long word = ByteBuffer.wrap(bytes).getLong();
    if (word != WORD && !(attached && word == MEMORY_WORD)) {
      throw new ProtocolException("a welcome was not followed by a confirmation");
    }
    return word == MEMORY_WORD;
  }
}
