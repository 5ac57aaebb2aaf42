package io.jgloo.rpc.codec;

import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a message that a {@link MessageWriter} wrote, and checks each length against
 * what is left before it allocates.
 *
 * <p><i>Threads</i>: one. <i>Fails</i>: every method throws {@link ProtocolException} if the
 * message does not hold what is asked for.
 */
public final class MessageReader {

  private final Message message;
  private final byte[] bytes;
  private final int end;
  private int at;
  private int block;
  private @Nullable Object attachment;

  /** Elements of no bytes so far: their number is all that arrives. */
  private int empty;

  private static final int MAX_EMPTY_ELEMENTS = 1 << 16;

  public MessageReader(Message message) {
    this.message = message;
    bytes = message.bytes();
    at = message.offset();
    end = at + message.length();
  }

  /** Sets what codecs of this message share; null unless set. */
  public MessageReader attach(Object shared) {
    attachment = shared;
    return this;
  }

  /** What codecs of this message share, or null. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Bytes that have not been read. */
  public int remaining() {
    return end - at;
  }

  private int take(int count) {
    if (count < 0 || count > end - at) {
      throw new ProtocolException(
          "a value of " + count + " bytes does not fit the " + (end - at) + " bytes that are left");
    }
    int from = at;
    at += count;
    return from;
  }

  public byte getByte() {
    return bytes[take(1)];
  }

  public short getShort() {
    return LittleEndian.getShort(bytes, take(Short.BYTES));
  }

  public int getInt() {
    return LittleEndian.getInt(bytes, take(Integer.BYTES));
  }

  public long getLong() {
    return LittleEndian.getLong(bytes, take(Long.BYTES));
  }

  public float getFloat() {
    return Float.intBitsToFloat(getInt());
  }

  public double getDouble() {
    return Double.longBitsToDouble(getLong());
  }

  public String getString() {
    int count = getInt();
    return new String(bytes, take(count), count, StandardCharsets.UTF_8);
  }

  public byte[] getBytes() {
    int count = getInt();
    int from = take(count);
    return Arrays.copyOfRange(bytes, from, from + count);
  }

  /**
   * Reads a number of elements that follow.
   *
   * @param leastBytes least length of one in bytes, at least 1
   */
  public int getCount(int leastBytes) {
    int count = getInt();
    if (count < 0 || count > remaining() / leastBytes) {
      throw new ProtocolException(
          (count + " elements of at least " + leastBytes + " bytes do not fit the ")
              + (remaining() + " bytes that are left"));
    }
    return count;
  }

  /** Reads a number of elements for {@link #getElements}. */
  int getCount() {
    int count = getInt();
    if (count < 0) {
      throw new ProtocolException("a collection of " + count + " elements");
    }
    return count;
  }

  /** Reads elements; of those that take no bytes a message may hold so many. */
  void getElements(int count, Runnable element) {
    for (int i = 0; i < count; i++) {
      int before = remaining();
      element.run();
      if (remaining() == before && ++empty > MAX_EMPTY_ELEMENTS) {
        throw new ProtocolException(
            "more than " + MAX_EMPTY_ELEMENTS + " elements without bytes in a message");
      }
    }
  }

  /** A view of the next bytes. */
  ByteBuffer next(int count) {
    int from = take(count);
    return ByteBuffer.wrap(bytes, from, count).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The next block; it is the message's, and closed with it. */
  public Block getBlock() {
    if (block >= message.blocks().size()) {
      throw new ProtocolException("the message has no block " + block);
    }
    return message.blocks().get(block++);
  }

  /** Checks that all of the message has been read. */
  public void end() {
    if (remaining() > 0 || block < message.blocks().size()) {
      throw new ProtocolException(
          (remaining() + " bytes and " + (message.blocks().size() - block))
              + " blocks follow the value");
    }
  }
}
