package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of the messages of a session.
 *
 * <pre>
 *   REQUEST  u8 1, u8 priority, u16 service, i64 call, i64 nanoseconds until its deadline, table,
 *            body
 *   REPLY    u8 2, u8 status (negative: not executed, the body is the reason), u16 0, i64 call,
 *            table, body
 *   CONTROL  u8 3, u8 kind, u16 0, content
 *   CANCEL   u8 4, u8 0, u16 0, i64 call
 *   PULL     u8 5, u8 0, u16 0, i64 block, i64 offset, i64 length, i64 slot, u32 connection
 *   RELEASE  u8 6, u8 0, u16 0, i64 block
 *   LEAVING  u8 7, u8 0, u16 0
 *   IDLE     u8 8, u8 0, u16 0, i64 requests and calls so far
 *   STARTED  u8 9, u8 0, u16 0
 *   table    u32 number of blocks, with the top bit set if the last block is the body; then for
 *            each i64 id, i64 length                                  all little-endian
 * </pre>
 */
final class Envelope {

  static final List<Priority> PRIORITIES = List.of(Priority.values());

  static final byte REQUEST = 1;
  static final byte REPLY = 2;
  static final byte CONTROL = 3;
  static final byte CANCEL = 4;
  static final byte PULL = 5;
  static final byte RELEASE = 6;
  static final byte LEAVING = 7;
  static final byte IDLE = 8;
  static final byte STARTED = 9;

  static final int HEAD_BYTES = 4;
  static final int REQUEST_BYTES = 20;
  static final int REPLY_BYTES = 12;
  static final int PULL_BYTES = 40;

  /** Longest head and table of a message without blocks. */
  static final int OVERHEAD_BYTES = REQUEST_BYTES + 4;

  private static final int BODY_IS_BLOCK = 0x80000000;

  private Envelope() {}

  /** An envelope of this length, its head written. */
  static byte[] open(byte type, int code, int service, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = type;
    bytes[1] = (byte) code;
    LittleEndian.putShort(bytes, 2, (short) service);
    return bytes;
  }

  static byte[] call(byte type, int code, long call) {
    byte[] bytes = open(type, code, 0, REPLY_BYTES);
    LittleEndian.putLong(bytes, 4, call);
    return bytes;
  }

  static byte[] refusal(long call, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    text = Arrays.copyOf(text, Math.min(text.length, 1024));
    byte[] bytes = open(REPLY, -1, 0, REPLY_BYTES + 4 + text.length);
    LittleEndian.putLong(bytes, 4, call);
    System.arraycopy(text, 0, bytes, REPLY_BYTES + 4, text.length);
    return bytes;
  }

  static byte[] control(int kind, byte[] content) {
    byte[] bytes = open(CONTROL, kind, 0, HEAD_BYTES + content.length);
    System.arraycopy(content, 0, bytes, HEAD_BYTES, content.length);
    return bytes;
  }

  static byte[] pull(long block, long offset, long length, long slot, int connection) {
    byte[] bytes = open(PULL, 0, 0, PULL_BYTES);
    LittleEndian.putLong(bytes, 4, block);
    LittleEndian.putLong(bytes, 12, offset);
    LittleEndian.putLong(bytes, 20, length);
    LittleEndian.putLong(bytes, 28, slot);
    LittleEndian.putInt(bytes, 36, connection);
    return bytes;
  }

  /**
   * An envelope with a table and a body, its head after the first four bytes left to the caller.
   *
   * @param head bytes before the table
   * @param firstBlock id of the first block; the others follow
   * @param bodyIsBlock whether the last block is the body, and the message's bytes are not sent
   */
  static byte[] withBody(
      byte type,
      int code,
      int service,
      int head,
      Message message,
      List<Block> blocks,
      long firstBlock,
      boolean bodyIsBlock) {
    int body = bodyIsBlock ? 0 : message.length();
    byte[] bytes = open(type, code, service, head + 4 + 16 * blocks.size() + body);
    LittleEndian.putInt(bytes, head, blocks.size() | (bodyIsBlock ? BODY_IS_BLOCK : 0));
    int at = head + 4;
    for (int i = 0; i < blocks.size(); i++, at += 16) {
      LittleEndian.putLong(bytes, at, firstBlock + i);
      LittleEndian.putLong(bytes, at + 8, blocks.get(i).length());
    }
    System.arraycopy(message.bytes(), message.offset(), bytes, at, body);
    return bytes;
  }

  /**
   * The table and the body of a message that has arrived.
   *
   * @param offset where the body begins
   * @param length bytes of the body in the frame; negative if its blocks are beyond the limit
   * @param ids of the blocks
   * @param lengths of the blocks in bytes
   * @param apart whether the last block is the body
   */
  @SuppressWarnings("ArrayRecordComponent") // two are never compared
  record Content(byte[] bytes, int offset, int length, long[] ids, long[] lengths, boolean apart) {

    /**
     * Reads what follows the head.
     *
     * @param limit bytes of blocks a message may have
     * @throws ProtocolException if it is malformed
     */
    static Content read(byte[] frame, int offset, int length, long limit) {
      require(length >= 4, "a message without a table");
      int count = LittleEndian.getInt(frame, offset);
      boolean apart = count < 0;
      count &= ~BODY_IS_BLOCK;
      require(
          count <= Message.MAX_BLOCKS && count >= (apart ? 1 : 0) && length - 4 >= 16 * count,
          "a table of " + count + " blocks");
      long[] ids = new long[count];
      long[] lengths = new long[count];
      long left = limit;
      int at = offset + 4;
      for (int i = 0; i < count; i++, at += 16) {
        ids[i] = LittleEndian.getLong(frame, at);
        lengths[i] = LittleEndian.getLong(frame, at + 8);
        require(lengths[i] >= 0, "a block of " + lengths[i] + " bytes");
        left = lengths[i] > left ? -1 : left - lengths[i];
      }
      boolean fits = left >= 0 && !(apart && lengths[count - 1] > Integer.MAX_VALUE - 8);
      return new Content(frame, at, fits ? offset + length - at : -1, ids, lengths, apart);
    }

    /** The bytes of the body in the frame. */
    Message head() {
      return head(List.of());
    }

    /** The bytes of the body in the frame, with blocks. */
    Message head(List<Block> blocks) {
      return Message.of(bytes, offset, length, blocks);
    }

    /** Whether its blocks are within the limit. */
    boolean fits() {
      return length >= 0;
    }
  }

  static void require(boolean condition, String what) {
    if (!condition) {
      throw new ProtocolException(what + " came from an agent");
    }
  }
}
