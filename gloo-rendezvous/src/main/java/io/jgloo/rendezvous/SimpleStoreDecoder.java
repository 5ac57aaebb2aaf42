package io.jgloo.rendezvous;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the frames of {@link StoreCodec#SIMPLE}.
 *
 * <p>Memory follows the bytes that have arrived, never a length that was announced.
 */
final class SimpleStoreDecoder implements StoreDecoder {
  private static final int HEADER_BYTES = 13; // two lengths, an opcode, another length
  private static final int FIRST_BYTES = 256;
  private static final byte SET = 1;
  private static final byte GET = 2;
  private static final byte WAIT = 3;

  private final long maxRequestBytes;
  private byte[] frame = new byte[FIRST_BYTES];
  private int filled;
  private int wanted = HEADER_BYTES;
  private boolean validated;

  SimpleStoreDecoder(long maxRequestBytes) {
    this.maxRequestBytes = maxRequestBytes;
  }

  @Override
  public boolean isValidated() {
    return validated;
  }

  @Override
  public boolean isInsideRequest() {
    return filled > 0;
  }

  @Override
  public long heldBytes() {
    return filled == 0 ? 0 : frame.length;
  }

  @Override
  public StoreRequest next(ByteBuf in) throws StoreProtocolException {
    fill(in);
    if (filled == HEADER_BYTES && wanted == HEADER_BYTES) {
      wanted = total();
      fill(in);
    }
    if (filled < wanted) {
      return null;
    }
    StoreRequest request = request();
    validated = true;
    filled = 0;
    wanted = HEADER_BYTES;
    frame = frame.length > FIRST_BYTES ? new byte[FIRST_BYTES] : frame;
    return request;
  }

  private void fill(ByteBuf in) {
    int now = Math.min(wanted - filled, in.readableBytes());
    if (filled + now > frame.length) {
      int doubled = (int) Math.min(wanted, 2L * frame.length);
      frame = Arrays.copyOf(frame, Math.max(filled + now, doubled));
    }
    in.readBytes(frame, filled, now);
    filled += now;
  }

  /** Length of the whole frame, once its header is known to be true. */
  private int total() throws StoreProtocolException {
    long rest = word(0);
    long key = word(5);
    long value = word(9);
    long most = frame[4] == WAIT ? maxRequestBytes : StoreOpcode.MAX_KEY_BYTES;
    boolean fits = rest == HEADER_BYTES - Integer.BYTES + key + value;
    if (frame[4] < SET || frame[4] > WAIT || !fits) {
      throw new StoreProtocolException(
          String.format(
              "no frame: opcode %d, key of %d and value of %d bytes in %d",
              frame[4], key, value, rest));
    }
    if (key > most || value > Store.MAX_VALUE_BYTES || rest > maxRequestBytes) {
      throw new StoreProtocolException(
          "a key of " + key + " and a value of " + value + " bytes are too long");
    }
    return Math.toIntExact(HEADER_BYTES + key + value);
  }

  private long word(int at) {
    return (frame[at] & 0xffL) << 24
        | (frame[at + 1] & 0xff) << 16
        | (frame[at + 2] & 0xff) << 8
        | (frame[at + 3] & 0xff);
  }

  private StoreRequest request() throws StoreProtocolException {
    int keyEnd = HEADER_BYTES + (int) word(5);
    String key =
        new String(frame, HEADER_BYTES, keyEnd - HEADER_BYTES, StandardCharsets.ISO_8859_1);
    if (frame[4] == SET) {
      byte[] value = Arrays.copyOfRange(frame, keyEnd, wanted);
      return new StoreRequest(StoreOpcode.SET, List.of(key), List.of(value), 0);
    }
    if (frame[4] == GET) {
      return new StoreRequest(StoreOpcode.GET, List.of(key), List.of(), 0);
    }
    List<String> keys = List.of(key.split("\n", -1));
    if (keys.size() > Store.MAX_KEYS) {
      throw new StoreProtocolException("WAIT for " + keys.size() + " keys");
    }
    return new StoreRequest(StoreOpcode.WAIT, keys, List.of(), 0);
  }
}
