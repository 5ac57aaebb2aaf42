package io.jgloo.rpc.codec;

import io.jgloo.rpc.bytes.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a message of values: numbers are little-endian, lengths are 32 bits.
 *
 * <p><i>Threads</i>: one.
 */
public final class MessageWriter implements AutoCloseable {

  private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

  private byte[] bytes;
  private int length;
  private final List<Block> blocks = new ArrayList<>(0);
  private @Nullable Object attachment;

  /**
   * @param expected length of the message in bytes, if known; it grows as needed
   */
  public MessageWriter(int expected) {
    bytes = new byte[Math.max(16, expected)];
  }

  /** Sets what codecs of this message share; null unless set. */
  public MessageWriter attach(Object shared) {
    attachment = shared;
    return this;
  }

  /** What codecs of this message share, or null. */
  public @Nullable Object attachment() {
    return attachment;
  }

  private int room(long count) {
    int at = length;
    if (count > bytes.length - at) {
      if (at + count > MAX_BYTES) {
        throw new IllegalArgumentException(
            "values of " + (at + count) + " bytes do not fit a message's array; use a block");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(at + count, 2L * at)));
    }
    length += (int) count;
    return at;
  }

  public MessageWriter putByte(int value) {
    int at = room(1);
    bytes[at] = (byte) value;
    return this;
  }

  public MessageWriter putShort(int value) {
    int at = room(Short.BYTES);
    LittleEndian.putShort(bytes, at, (short) value);
    return this;
  }

  public MessageWriter putInt(int value) {
    int at = room(Integer.BYTES);
    LittleEndian.putInt(bytes, at, value);
    return this;
  }

  public MessageWriter putLong(long value) {
    int at = room(Long.BYTES);
    LittleEndian.putLong(bytes, at, value);
    return this;
  }

  public MessageWriter putFloat(float value) {
    return putInt(Float.floatToRawIntBits(value));
  }

  public MessageWriter putDouble(double value) {
    return putLong(Double.doubleToRawLongBits(value));
  }

  /** Writes the length in bytes, then the text in UTF-8. */
  public MessageWriter putString(String value) {
    return putBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the length, then the bytes. */
  public MessageWriter putBytes(byte[] value) {
    putInt(value.length);
    int at = room(value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
    return this;
  }

  /** A buffer on the next bytes of the message, to be filled at once. */
  ByteBuffer next(long count) {
    int at = room(count);
    return ByteBuffer.wrap(bytes, at, (int) count).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Adds a block, which belongs to the message from now on. */
  public MessageWriter putBlock(Block block) {
    blocks.add(block);
    return this;
  }

  /**
   * The message; the writer is not to be used any more.
   *
   * @throws IllegalArgumentException if there are more than {@link Message#MAX_BLOCKS} blocks
   */
  public Message message() {
    return Message.of(bytes, 0, length, blocks);
  }

  /** Closes the blocks, if the message will not be sent. */
  @Override
  public void close() {
    blocks.forEach(Block::close);
  }
}
