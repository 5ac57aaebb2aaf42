package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCodec;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the frames of {@link StoreCodec#SIMPLE}.
 *
 * <p>Memory follows the bytes that have arrived, never a length that was announced. The keys of a
 * WAIT are taken as they arrive, so that no read costs more than its bytes.
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

  // The keys of a WAIT, but for the last: they end at line feeds.
  private List<String> keys = List.of();
  private int keyStart;
  private long keysBytes;

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
    return filled == 0 ? 0 : frame.length + keysBytes;
  }

  @Override
  public StoreRequest next(ByteBuf in) throws StoreProtocolException {
    fill(in);
    if (filled == HEADER_BYTES && wanted == HEADER_BYTES) {
      wanted = total();
      keys = frame[4] == WAIT ? new ArrayList<>(1) : List.of();
      keyStart = HEADER_BYTES;
      keysBytes = 0;
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

  private void fill(ByteBuf in) throws StoreProtocolException {
    int now = Math.min(wanted - filled, in.readableBytes());
    if (filled + now > frame.length) {
      int doubled = (int) Math.min(wanted, 2L * frame.length);
      frame = Arrays.copyOf(frame, Math.max(filled + now, doubled));
    }
    in.readBytes(frame, filled, now);
    filled += now;
    if (wanted > HEADER_BYTES && frame[4] == WAIT) {
      takeKeys(filled - now);
    }
  }

  /** Finds ends of keys in the bytes that have arrived, from {@code from} on. */
  private void takeKeys(int from) throws StoreProtocolException {
    int end = Math.min(filled, keyEnd());
    for (int at = from; at < end; at++) {
      if (frame[at] == '\n') {
        takeKey(at);
      } else if (at - keyStart >= StoreOpcode.MAX_KEY_BYTES) {
        throw new StoreProtocolException(
            "WAIT for a key of more than " + StoreOpcode.MAX_KEY_BYTES + " bytes");
      }
    }
  }

  private void takeKey(int end) throws StoreProtocolException {
    if (keys.size() == Store.MAX_KEYS) {
      throw new StoreProtocolException("WAIT for more than " + Store.MAX_KEYS + " keys");
    }
    keys.add(new String(frame, keyStart, end - keyStart, StandardCharsets.ISO_8859_1));
    keysBytes += StoreRequestDecoder.FIELD_BYTES + end - keyStart;
    keyStart = end + 1;
  }

  private int keyEnd() {
    return HEADER_BYTES + (int) word(5);
  }

  /** Length of the whole frame, once its header is checked. */
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
    int keyEnd = keyEnd();
    if (frame[4] == SET) {
      byte[] value = Arrays.copyOfRange(frame, keyEnd, wanted);
      return new StoreRequest(StoreOpcode.SET, List.of(key(keyEnd)), List.of(value), 0);
    }
    if (frame[4] == GET) {
      return new StoreRequest(StoreOpcode.GET, List.of(key(keyEnd)), List.of(), 0);
    }
    takeKey(keyEnd);
    List<String> taken = keys;
    keys = List.of();
    return new StoreRequest(StoreOpcode.WAIT, taken, List.of(), 0);
  }

  private String key(int end) {
    return new String(frame, HEADER_BYTES, end - HEADER_BYTES, StandardCharsets.ISO_8859_1);
  }
}
