package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.CreditRoute;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.memory.Memory;

/**
 * The bytes of one send between two ranks, at most a slot of the peer's ring. Little-endian, 64
 * bytes, then the payload of an eager message:
 *
 * <pre>
 *    0  u8   opcode
 *    1  u8   0x4a 'J'
 *    2  u16  0x4956      'VI'
 *    4  u32  returned    receives posted again so far, as a running count
 *    8  i64  slot
 *   16  i64  length      of the message; GRANT: of the granted part
 *   24  i64  fingerprint, high; GRANT: where in the message the part begins
 *   32  i64  fingerprint, low;  GRANT: where to write it
 *   40  i64  matched     eager cost received and matched so far
 *   48  u32  message     the sender's number of an announced message; GRANT repeats it
 *   52  u32  ticket      GRANT: what the write must carry as immediate; WITHDRAWN repeats it
 *   56  u32  key         GRANT: of the memory to write to
 *   60  u32  0
 * </pre>
 */
final class Frame {

  static final int BYTES = 64;

  /** A message with its payload. */
  public static final int EAGER = 1;

  /** A message is ready to be written when it is granted. */
  public static final int ANNOUNCE = 2;

  /** A part of an announced message is granted, to be written by RDMA. */
  public static final int GRANT = 3;

  /** The announced message was withdrawn; nothing is written. */
  public static final int WITHDRAWN = 4;

  /** Nothing but the two credits. */
  public static final int CREDIT = 5;

  private static final int LAST_OPCODE = CREDIT;
  private static final int MAGIC = 0x49564a00;

  private Frame() {}

  public static void write(long at, int returned, Outgoing frame, long matched) {
    CreditRoute.writeHeader(at, MAGIC | frame.opcode, returned, frame, matched);
    Memory.putInt(at + 48, frame.number);
    Memory.putInt(at + 52, frame.ticket);
    Memory.putInt(at + 56, frame.key);
    Memory.putInt(at + 60, 0);
  }

  /**
   * The opcode of a frame.
   *
   * @param bytes that have come
   * @throws ProtocolException if this is no frame, or not one of that length
   */
  public static int opcode(long at, int bytes) {
    if (bytes < BYTES) {
      throw new ProtocolException("a frame of " + bytes + " bytes");
    }
    int word = Memory.getInt(at);
    int opcode = word & 0xff;
    if ((word & ~0xff) != MAGIC || opcode == 0 || opcode > LAST_OPCODE) {
      throw new ProtocolException(
          String.format("a frame that starts with %08x, which is not a header", word));
    }
    long length = CreditRoute.length(at);
    if (length < 0 || bytes - BYTES != (opcode == EAGER ? length : 0)) {
      throw new ProtocolException(
          ("a frame of " + bytes + " bytes with opcode " + opcode) + (" and the length " + length));
    }
    return opcode;
  }

  static int returned(long at) {
    return Memory.getInt(at + 4);
  }

  static int message(long at) {
    return Memory.getInt(at + 48);
  }

  static int ticket(long at) {
    return Memory.getInt(at + 52);
  }

  static int key(long at) {
    return Memory.getInt(at + 56);
  }
}
