package io.jgloo.transport.engine;

import io.jgloo.transport.memory.Memory;

/**
 * The fields that the header of a frame between two JGloo ranks has on every transport.
 * Little-endian, 48 bytes:
 *
 * <pre>
 *    0  u32  the transport's opcode and magic number
 *    4  u32  the transport's
 *    8  i64  slot
 *   16  i64  length     bytes of the message
 *   24  i64  fingerprint, high
 *   32  i64  fingerprint, low
 *   40  i64  credit     eager cost received and matched so far, both directions apart
 * </pre>
 */
public final class Header {

  public static final int BYTES = 48;

  private Header() {}

  /** Writes a header. */
  public static void write(long at, int first, int second, Outgoing frame, long credit) {
    Memory.putInt(at, first);
    Memory.putInt(at + 4, second);
    Memory.putLong(at + 8, frame.slot);
    Memory.putLong(at + 16, frame.length);
    Memory.putLong(at + 24, frame.fingerprintHigh);
    Memory.putLong(at + 32, frame.fingerprintLow);
    Memory.putLong(at + 40, credit);
  }

  public static long slot(long at) {
    return Memory.getLong(at + 8);
  }

  public static long length(long at) {
    return Memory.getLong(at + 16);
  }

  public static long fingerprintHigh(long at) {
    return Memory.getLong(at + 24);
  }

  public static long fingerprintLow(long at) {
    return Memory.getLong(at + 32);
  }

  public static long credit(long at) {
    return Memory.getLong(at + 40);
  }
}
