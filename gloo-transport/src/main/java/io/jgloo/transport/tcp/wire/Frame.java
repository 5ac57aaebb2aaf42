package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.CreditRoute;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.memory.Memory;

/**
 * The header in front of every message between two JGloo ranks. Little-endian, 64 bytes, a cache
 * line, so that the payload behind it is as aligned as the header:
 *
 * <pre>
 *    0  u8   opcode
 *    1  u8   0x4a 'J'   a stream that is out of step is noticed here
 *    2  u16  0x474c     'LG'
 *    4  u32  0          of SHARED, the number of the extent, and the highest bit if credit was spent
 *    8  i64  slot       of EXTENT, ATTACHED and RETIRED, the number of the extent
 *   16  i64  length     bytes of the message; they follow behind EAGER, DATA, ABORT and EXTENT.
 *                       Of SHARED, its low 31 bits; the others are the offset in the extent.
 *                       Of ATTACHED, 1 if the extent is mapped, 0 if it cannot be
 *   24  i64  fingerprint, high
 *   32  i64  fingerprint, low
 *   40  i64  credit     eager cost received and matched so far, both directions apart
 *   48  16 bytes 0
 * </pre>
 */
public final class Frame {

  public static final int BYTES = 64;

  /** A message with its payload. */
  public static final int EAGER = 1;

  /** A message is ready to be sent when it is granted (rendezvous). */
  public static final int ANNOUNCE = 2;

  /** The oldest announced message of the slot is granted. */
  public static final int GRANT = 3;

  /** The payload of a granted message. */
  public static final int DATA = 4;

  /** Nothing but credit; also a heartbeat. */
  public static final int CREDIT = 5;

  /** The sender's mesh has failed; an {@link AbortNotice} follows. */
  public static final int ABORT = 6;

  /** The sender is leaving and will send nothing more. */
  public static final int GOODBYE = 7;

  /** The granted message was withdrawn; no payload follows. */
  public static final int WITHDRAWN = 8;

  /** A message for a place its sender names; on Gloo's wires only. */
  public static final int BOUND = 9;

  /**
   * An eager or granted message that lies in an extent of the sender's; through shared memory only,
   * as all below.
   */
  public static final int SHARED = 10;

  /** The oldest message of the slot that was sent by SHARED has been read. */
  public static final int DONE = 11;

  /** The sender offers an extent; an offer follows. */
  public static final int EXTENT = 12;

  /** The answer to an offer. */
  public static final int ATTACHED = 13;

  /** Nothing more will be sent from an extent. */
  public static final int RETIRED = 14;

  private static final int SHARED_LENGTH_BITS = 31;
  private static final int EAGER_BIT = 1 << 31;
  private static final int LAST_OPCODE = RETIRED;
  private static final int WITH_PAYLOAD =
      1 << EAGER | 1 << DATA | 1 << ABORT | 1 << BOUND | 1 << EXTENT;
  private static final int MAGIC = 0x474c4a00;

  private Frame() {}

  /** Whether the bytes of a frame's length follow it. */
  public static boolean carries(int opcode) {
    return (WITH_PAYLOAD >> opcode & 1) != 0;
  }

  public static void write(long at, Outgoing frame, long credit) {
    CreditRoute.writeHeader(at, MAGIC | frame.opcode, 0, frame, credit);
    Memory.putLong(at + CreditRoute.HEADER_BYTES, 0);
    Memory.putLong(at + CreditRoute.HEADER_BYTES + Long.BYTES, 0);
    if (frame.opcode == SHARED) {
      Memory.putInt(at + 4, frame.key | (frame.eager ? EAGER_BIT : 0));
      Memory.putLong(at + 16, frame.remoteOffset << SHARED_LENGTH_BITS | frame.length);
    }
  }

  /** The number of the extent of a SHARED frame. */
  public static int extent(long at) {
    return Memory.getInt(at + 4) & ~EAGER_BIT;
  }

  /** Whether credit was spent for the message of a SHARED frame. */
  public static boolean isEager(long at) {
    return (Memory.getInt(at + 4) & EAGER_BIT) != 0;
  }

  /**
   * The offset of a SHARED frame in its extent; makes the header one of an ordinary message, which
   * the caller must own.
   */
  public static long takeOffset(long at) {
    long packed = Memory.getLong(at + 16);
    Memory.putLong(at + 16, packed & ((1L << SHARED_LENGTH_BITS) - 1));
    return packed >>> SHARED_LENGTH_BITS;
  }

  /**
   * The opcode of a header.
   *
   * @throws ProtocolException if this is no header or its length is negative
   */
  public static int opcode(long at) {
    int word = Memory.getInt(at);
    int opcode = word & 0xff;
    if ((word & ~0xff) != MAGIC || opcode == 0 || opcode == BOUND || opcode > LAST_OPCODE) {
      throw new ProtocolException(
          String.format("a frame that starts with %08x, which is not a header", word));
    }
    long reserved = opcode == SHARED ? 0 : Memory.getInt(at + 4);
    reserved |=
        Memory.getLong(at + CreditRoute.HEADER_BYTES)
            | Memory.getLong(at + CreditRoute.HEADER_BYTES + Long.BYTES);
    if (reserved != 0) {
      throw new ProtocolException("a frame with reserved bits set");
    }
    if (CreditRoute.length(at) < 0) {
      throw new ProtocolException("a frame with the negative length " + CreditRoute.length(at));
    }
    return opcode;
  }
}
