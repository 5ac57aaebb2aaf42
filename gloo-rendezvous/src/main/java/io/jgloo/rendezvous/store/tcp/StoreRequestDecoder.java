package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.Store;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns one connection's bytes, however they are cut into reads, into requests.
 *
 * <p>It takes every byte it is given and keeps its place within the request, so that nothing is
 * looked at twice. Memory follows the bytes that have arrived, never a length that was announced.
 *
 * <p>Fails: {@link StoreProtocolException}, after which the connection is unusable.
 */
final class StoreRequestDecoder {
  /**
   * What an array or string costs beyond its bytes; so a request of 131,072 empty keys has a price.
   */
  static final int FIELD_BYTES = 48;

  private static final int FIRST_BYTES = 256;

  private final long maxRequestBytes;

  private StoreOpcode opcode;
  private long itemsLeft;
  private int field;
  private List<String> keys;
  private List<byte[]> values;
  private long number;
  private long requestBytes;
  private boolean validated;

  // The field being read: first its 4 or 8 byte word, then, for keys and values, its bytes.
  private long word;
  private int wordBytes;
  private byte[] bytes;
  private int length;
  private int filled;

  /**
   * A decoder for a new connection.
   *
   * @param maxRequestBytes the most that one request may occupy
   */
  StoreRequestDecoder(long maxRequestBytes) {
    this.maxRequestBytes = maxRequestBytes;
  }

  /** What these keys occupy. */
  static long bytes(List<String> keys) {
    return keys.stream().mapToLong(key -> FIELD_BYTES + key.length()).sum();
  }

  /** Whether the connection has shown the magic number. */
  boolean isValidated() {
    return validated;
  }

  /** Whether a request is incomplete. */
  boolean isInsideRequest() {
    return opcode != null;
  }

  /** Memory held for the incomplete request. */
  long heldBytes() {
    // Of the current field only the bytes that have arrived, not the announced length.
    return opcode == null ? 0 : requestBytes - (bytes == null ? 0 : length - bytes.length);
  }

  /** The next whole request, {@code null} if all bytes are taken and more are needed. */
  StoreRequest next(ByteBuf in) throws StoreProtocolException {
    if (opcode == null) {
      if (!in.isReadable()) {
        return null;
      }
      begin(in.readByte());
    }
    if (itemsLeft < 0 && !readCount(in)) {
      return null;
    }
    String fields = opcode.fields();
    for (; itemsLeft > 0; itemsLeft--) {
      for (; field < fields.length(); field++) {
        if (!readField(fields.charAt(field), in)) {
          return null;
        }
      }
      field = 0;
    }
    return end();
  }

  private void begin(byte code) throws StoreProtocolException {
    StoreOpcode next = StoreOpcode.of(code);
    if (next == null) {
      throw new StoreProtocolException("unknown opcode " + code);
    }
    if ((next == StoreOpcode.VALIDATE) == validated) {
      throw new StoreProtocolException(validated ? "second VALIDATE" : next + " before VALIDATE");
    }
    opcode = next;
    itemsLeft = next.isList() ? -1 : 1;
    field = 0;
    keys = List.of();
    values = List.of();
    number = 0;
    requestBytes = 0;
  }

  private StoreRequest end() throws StoreProtocolException {
    StoreOpcode done = opcode;
    opcode = null;
    if (done == StoreOpcode.VALIDATE) {
      if ((int) number != StoreOpcode.MAGIC) {
        throw new StoreProtocolException("wrong magic number " + Long.toHexString(number));
      }
      validated = true;
    }
    return new StoreRequest(done, keys, values, number);
  }

  private boolean readCount(ByteBuf in) throws StoreProtocolException {
    if (!readWord(in, Long.BYTES)) {
      return false;
    }
    long count = takeWord();
    if (count < 0 || count > Store.MAX_KEYS) {
      throw new StoreProtocolException(opcode + " of " + Long.toUnsignedString(count) + " keys");
    }
    itemsLeft = count;
    return true;
  }

  private boolean readField(char kind, ByteBuf in) throws StoreProtocolException {
    switch (kind) {
      case 'n', 'm' -> {
        if (!readWord(in, kind == 'n' ? Long.BYTES : Integer.BYTES)) {
          return false;
        }
        number = takeWord();
        return true;
      }
      case 'k' -> {
        if (!readBytes(in, StoreOpcode.MAX_KEY_BYTES)) {
          return false;
        }
        keys = keys.isEmpty() ? new ArrayList<>(1) : keys;
        keys.add(new String(takeBytes(), StandardCharsets.ISO_8859_1));
        return true;
      }
      default -> {
        if (!readBytes(in, Store.MAX_VALUE_BYTES)) {
          return false;
        }
        values = values.isEmpty() ? new ArrayList<>(1) : values;
        values.add(takeBytes());
        return true;
      }
    }
  }

  /** Collects a little-endian word of so many bytes; true once it is whole. */
  private boolean readWord(ByteBuf in, int size) {
    if (wordBytes == 0 && in.readableBytes() >= size) {
      word = size == Long.BYTES ? in.readLongLE() : in.readUnsignedIntLE();
      wordBytes = size;
      return true;
    }
    while (wordBytes < size && in.isReadable()) {
      word |= (in.readByte() & 0xFFL) << (8 * wordBytes++);
    }
    return wordBytes == size;
  }

  private long takeWord() {
    long taken = word;
    word = 0;
    wordBytes = 0;
    return taken;
  }

  /** Collects a length and that many bytes; true once they are whole. */
  private boolean readBytes(ByteBuf in, int max) throws StoreProtocolException {
    if (bytes == null) {
      if (!readWord(in, Long.BYTES)) {
        return false;
      }
      long announced = takeWord();
      if (announced < 0 || announced > max) {
        throw new StoreProtocolException(
            opcode + " with a field of " + Long.toUnsignedString(announced) + " bytes");
      }
      requestBytes += announced + FIELD_BYTES;
      if (requestBytes > maxRequestBytes) {
        throw new StoreProtocolException(opcode + " of more than " + maxRequestBytes + " bytes");
      }
      length = (int) announced;
      filled = 0;
      bytes = new byte[Math.min(length, Math.max(FIRST_BYTES, in.readableBytes()))];
    }
    int now = Math.min(length - filled, in.readableBytes());
    if (filled + now > bytes.length) {
      int doubled = (int) Math.min(length, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, Math.max(filled + now, doubled));
    }
    in.readBytes(bytes, filled, now);
    filled += now;
    return filled == length;
  }

  private byte[] takeBytes() {
    byte[] taken = bytes;
    bytes = null;
    return taken;
  }
}
