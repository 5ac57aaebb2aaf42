package io.jgloo.rpc.codec;

import io.jgloo.transport.ProtocolException;

/**
 * Writes values of one type to messages, and reads them back.
 *
 * <p>What arrives is not to be trusted: {@link #read} checks what it reads before it allocates, as
 * {@link MessageReader} does for its own methods, and makes objects of known classes only.
 *
 * <p><i>Threads</i>: any; a codec has no state.
 *
 * @param <T> type of the values
 */
public interface Codec<T> {

  /**
   * Name of the type and form, the same for all codecs that can read each other's bytes, such as
   * {@code list(i64)}. The two ends of a call compare it.
   */
  String type();

  /** Writes a value. */
  void write(T value, MessageWriter out);

  /**
   * Reads a value.
   *
   * @throws ProtocolException if the bytes are no value of this type
   */
  T read(MessageReader in);
}
