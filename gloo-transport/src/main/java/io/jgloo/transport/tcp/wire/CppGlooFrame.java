package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.memory.Memory;

/**
 * The header in front of every message of C++ Gloo: six numbers of 8 bytes, little-endian here.
 *
 * <pre>
 *    0  total     48, and the payload's bytes where one follows
 *    8  opcode
 *   16  slot
 *   24  offset    bound: where the bytes lay with the sender; else 0
 *   32  length    of the payload, or of the announced message
 *   40  place     bound: where the bytes go in the receiver's buffer; else 0
 * </pre>
 */
public final class CppGlooFrame {

  public static final int BYTES = 48;

  /** A payload for a named place; sent without a credit. */
  public static final int BOUND = 0;

  /** The payload of the oldest announced receive. */
  public static final int PAYLOAD = 1;

  /** "One send is posted on this slot." */
  public static final int SEND_READY = 2;

  /** "One receive is posted on this slot: one payload may come." */
  public static final int RECEIVE_READY = 3;

  private CppGlooFrame() {}

  public static void write(long at, int opcode, long slot, long offset, long length, long place) {
    boolean payload = opcode == BOUND || opcode == PAYLOAD;
    Memory.putLong(at, payload ? BYTES + length : BYTES);
    Memory.putLong(at + 8, opcode);
    Memory.putLong(at + 16, slot);
    Memory.putLong(at + 24, offset);
    Memory.putLong(at + 32, length);
    Memory.putLong(at + 40, place);
  }

  /**
   * The opcode of a header; -1 if it is unknown; such a frame is ignored.
   *
   * @throws ProtocolException if the header contradicts itself: the stream is out of step
   */
  public static int opcode(long at) {
    long opcode = Memory.getLong(at + 8);
    if (opcode < BOUND || opcode > RECEIVE_READY) {
      return -1;
    }
    long payload = opcode <= PAYLOAD ? length(at) : 0;
    boolean possible = length(at) >= 0 && payload <= Long.MAX_VALUE - BYTES;
    if (!possible || Memory.getLong(at) != BYTES + payload) {
      throw new ProtocolException(
          ("a header of " + Memory.getLong(at) + " bytes in all with opcode " + opcode)
              + (" and length " + length(at)));
    }
    return (int) opcode;
  }

  public static long slot(long at) {
    return Memory.getLong(at + 16);
  }

  public static long length(long at) {
    return Memory.getLong(at + 32);
  }

  public static long place(long at) {
    return Memory.getLong(at + 40);
  }
}
