package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Requests being written one after the other, as {@link StoreOpcode} draws them; sent in one piece.
 */
final class StoreRequestBuffer {
  private ByteBuffer buffer;

  StoreRequestBuffer() {
    buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
  }

  StoreRequestBuffer opcode(StoreOpcode opcode) {
    reserve(1).put(opcode.code());
    return this;
  }

  /** A user's key, with the slash that clients put before it. */
  StoreRequestBuffer key(String key) {
    byte[] bytes = StoreKeys.encode(key);
    reserve(Long.BYTES + 1 + bytes.length).putLong(1L + bytes.length).put((byte) '/').put(bytes);
    return this;
  }

  /** A key as it is, ASCII; all but one have a slash before them. */
  StoreRequestBuffer rawKey(String key) {
    return value(key.getBytes(StandardCharsets.US_ASCII));
  }

  StoreRequestBuffer keys(Collection<String> keys) {
    number(keys.size());
    keys.forEach(this::key);
    return this;
  }

  StoreRequestBuffer value(byte[] value) {
    reserve(Long.BYTES + value.length).putLong(value.length).put(value);
    return this;
  }

  StoreRequestBuffer number(long number) {
    reserve(Long.BYTES).putLong(number);
    return this;
  }

  StoreRequestBuffer word(int word) {
    reserve(Integer.BYTES).putInt(word);
    return this;
  }

  /** Bytes as they are. */
  StoreRequestBuffer bytes(byte[] bytes) {
    reserve(bytes.length).put(bytes);
    return this;
  }

  /** What has been written, ready to be read from; this buffer is not to be used any more. */
  ByteBuffer bytes() {
    return buffer.flip();
  }

  private ByteBuffer reserve(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = Math.addExact(buffer.position(), bytes);
      int doubled = (int) Math.min(Integer.MAX_VALUE - 8, 2L * buffer.capacity());
      buffer =
          ByteBuffer.allocate(Math.max(needed, doubled))
              .order(ByteOrder.LITTLE_ENDIAN)
              .put(buffer.flip());
    }
    return buffer;
  }
}
