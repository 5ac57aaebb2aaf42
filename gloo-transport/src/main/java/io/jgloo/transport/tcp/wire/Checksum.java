package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.memory.Memory;
import java.util.zip.CRC32C;

/**
 * CRC-32C of one direction of a connection, with attribute {@code checksum=crc32c}.
 *
 * <p>The reserved word of a header has the sum of the header, computed with zero there. The part of
 * a payload that goes by one connection is followed by four bytes with its sum, little-endian. So
 * the sender need not read a payload before its first byte leaves, and a receive completes only
 * when its bytes have been checked.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class Checksum {

  /** Bytes of the sum behind a payload. */
  public static final int BYTES = 4;

  /** Copied to the heap at a time, where the JDK sums 16 to 32 bytes in a cycle or two. */
  private static final int PIECE_BYTES = 8 << 10;

  private static final int HEADER_WORD = 4;

  private final CRC32C crc = new CRC32C();
  private final byte[] piece = new byte[PIECE_BYTES];

  /** Adds bytes of a payload. */
  public void update(long address, long count) {
    for (long done = 0; done < count; ) {
      int some = (int) Math.min(count - done, PIECE_BYTES);
      Memory.copy(address + done, piece, 0, some);
      crc.update(piece, 0, some);
      done += some;
    }
  }

  /** The sum of what was added, from which the next one begins anew. */
  public int take() {
    int sum = (int) crc.getValue();
    crc.reset();
    return sum;
  }

  /** Puts the sum of a header into it. */
  public void seal(long header) {
    Memory.putInt(header + HEADER_WORD, 0);
    update(header, Frame.BYTES);
    Memory.putInt(header + HEADER_WORD, take());
  }

  /**
   * Checks a header, and makes it one without a sum; the caller must own it.
   *
   * @throws ProtocolException if it was changed on its way
   */
  public void open(long header) {
    int sent = Memory.getInt(header + HEADER_WORD);
    Memory.putInt(header + HEADER_WORD, 0);
    update(header, Frame.BYTES);
    compare(-1, sent);
  }

  /**
   * Checks the payload that was added.
   *
   * @param seal address of the sum that followed it
   * @throws ProtocolException if it was changed on its way
   */
  public void check(long length, long seal) {
    compare(length, Memory.getInt(seal));
  }

  /**
   * @param length of a payload, or -1 for a header
   */
  private void compare(long length, int sent) {
    int found = take();
    if (sent != found) {
      String what = length < 0 ? "a header" : "a payload of " + length + " bytes";
      throw new ProtocolException(
          String.format("%s with the CRC-32C %08x, but %08x has arrived", what, sent, found));
    }
  }
}
