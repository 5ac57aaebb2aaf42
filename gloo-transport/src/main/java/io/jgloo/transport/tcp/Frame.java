package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Header;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.memory.Memory;

/**
 * The header in front of every message between two JGloo ranks. Little-endian, 48 bytes, so that
 * the payload behind it is aligned to 16:
 *
 * <pre>
 *    0  u8   opcode
 *    1  u8   0x4a 'J'   a stream that has lost its place is noticed here
 *    2  u16  0x474c     'LG'
 *    4  u32  0          reserved
 *    8  i64  slot
 *   16  i64  length     bytes of the message; they follow behind EAGER, DATA and ABORT
 *   24  i64  fingerprint, high
 *   32  i64  fingerprint, low
 *   40  i64  credit     eager cost received and matched so far, both directions apart
 * </pre>
 */
final class Frame {

  static final int BYTES = StreamRules.HEADER_BYTES;

  /** A message with its payload. */
  static final int EAGER = 1;

  /** A message is ready to be sent when asked for (rendezvous). */
  static final int ANNOUNCE = 2;

  /** The oldest announced message of the slot is asked for. */
  static final int GRANT = 3;

  /** The payload of a granted message. */
  static final int DATA = 4;

  /** Nothing but credit. */
  static final int CREDIT = 5;

  /** The sender has given up the group; an {@link AbortNotice} follows. */
  static final int ABORT = 6;

  /** The sender is leaving and will send nothing more. */
  static final int GOODBYE = 7;

  /** The granted message was withdrawn; no payload follows. */
  static final int WITHDRAWN = 8;

  /** A message for a place its sender names; on Gloo's wires only. */
  static final int BOUND = 9;

  private static final int LAST_OPCODE = WITHDRAWN;
  private static final int WITH_PAYLOAD = 1 << EAGER | 1 << DATA | 1 << ABORT | 1 << BOUND;
  private static final int MAGIC = 0x474c4a00;

  private Frame() {}

  /** Whether the bytes of a frame's length follow it. */
  static boolean carries(int opcode) {
    return (WITH_PAYLOAD >> opcode & 1) != 0;
  }

  static void write(long at, Outgoing frame, long credit) {
    Header.write(at, MAGIC | frame.opcode, 0, frame, credit);
  }

  /**
   * The opcode of a header.
   *
   * @throws ProtocolException if this is no header or its length is negative
   */
  static int opcode(long at) {
    int word = Memory.getInt(at);
    int opcode = word & 0xff;
    if ((word & ~0xff) != MAGIC || opcode == 0 || opcode > LAST_OPCODE) {
      throw new ProtocolException(
          String.format("a frame starts with %08x, which is no header", word));
    }
    if (Memory.getInt(at + 4) != 0) {
      throw new ProtocolException("a frame has reserved bits set");
    }
    if (Header.length(at) < 0) {
      throw new ProtocolException("a frame has the length " + Header.length(at));
    }
    return opcode;
  }
}
