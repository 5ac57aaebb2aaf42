package io.jgloo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Turns objects of one type into bytes and back, for {@link ProcessGroup#broadcastObject} and
 * {@link ProcessGroup#allgatherObject}.
 *
 * <p>All ranks of a call use codecs that understand each other. What arrives was encoded by another
 * process: {@link #decode} should make objects of known classes only, and check lengths that it
 * reads before it allocates.
 *
 * <p><em>Threads</em>: the calling one.
 *
 * @param <T> type of the objects
 */
public interface ObjectCodec<T extends @Nullable Object> {

  /** Sends arrays of bytes as they are. */
  ObjectCodec<byte[]> BYTES =
      new ObjectCodec<>() {
        @Override
        public byte[] encode(byte[] value) {
          return value;
        }

        @Override
        public byte[] decode(byte[] bytes) {
          return bytes;
        }
      };

  /** Sends strings in UTF-8. Malformed bytes are refused, as is a string with half a surrogate. */
  ObjectCodec<String> STRING =
      new ObjectCodec<>() {
        @Override
        public byte[] encode(String value) {
          try {
            ByteBuffer encoded = UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(value));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
          } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the string is not Unicode: " + e, e);
          }
        }

        @Override
        public String decode(byte[] bytes) {
          try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
          } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the bytes are not UTF-8: " + e, e);
          }
        }
      };

  /**
   * Returns the bytes of an object, which may be none; the array is not changed by the call.
   *
   * @param value the object; null only if the caller passed null
   * @throws RuntimeException if it cannot be encoded; the call then fails at all ranks
   */
  byte[] encode(T value);

  /**
   * Returns the object of such bytes.
   *
   * @param bytes what another rank's codec returned; belongs to this method
   * @throws RuntimeException if they are not those of an object; the call then fails at this rank
   */
  T decode(byte[] bytes);
}
