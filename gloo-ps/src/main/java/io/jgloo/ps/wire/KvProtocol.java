package io.jgloo.ps.wire;

import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * How requests for keys and their replies are written.
 *
 * <pre>
 *   request  u8 flags, u8 type of values, u8 stream, u8 encodings, i32 application, i32 customer,
 *            i32 command, i64 number in its stream, 3 x i64 number to follow in each stream,
 *            i32 timestamp, i32 timestamp of its identity, i32 lowest timestamp that may be
 *            repeated, i32 number of keys, i64 number of values, i64 state; with flag KEEP or
 *            DIGEST i64 digest of the keys; then keys unless DIGEST, lens, values
 *   reply    i64 state, i32 flags, i32 number of keys, i64 number of values; then lens, values
 *   error    i32 code, text
 *   filters  i32 application, i32 wanted; the reply: i32 accepted
 *   replica  i32 rank and i64 incarnation of the worker; then a request
 *   state    i32 application, i32 whose: {@link #OF_SENDER} or {@link #OF_RECEIVER}; the reply: i64
 *            state, and in blocks what {@code StateWriter} writes
 *   drop     i32 application
 *   skip     i32 application, i32 customer, i32 stream, i64 number       all little-endian
 * </pre>
 *
 * <p>With flag BLOCKS keys, lens and values are in blocks instead, one for each part. Encodings are
 * numbers of {@link ValueCodec}: bits 0 to 3 of pushed values, bits 4 to 7 of pulled ones; in the
 * flags of a reply from bit 8 on.
 */
public final class KvProtocol {

  public static final int SERVICE = 0x5000;
  public static final int FILTERS_SERVICE = 0x5003;
  public static final int REPLICA_SERVICE = 0x5004;
  public static final int STATE_SERVICE = 0x5005;
  public static final int SKIP_KIND = 0x50;
  public static final int DROP_KIND = 0x51;

  public static final int PUSH = 1;
  public static final int PULL = 2;
  public static final int LENS = 4;
  public static final int BLOCKS = 8;
  public static final int TICK = 16;

  /** The keys are not here: the server has them by their digest. */
  public static final int DIGEST = 32;

  /** The server may keep the keys by their digest. */
  public static final int KEEP = 64;

  /** The priority of each stream. */
  public static final List<Priority> STREAM_PRIORITIES =
      List.of(Priority.HIGH, Priority.NORMAL, Priority.LOW);

  public static final int STREAMS = 3;
  public static final int REQUEST_BYTES = 80;
  public static final int REPLY_BYTES = 24;
  public static final int WORKER_BYTES = 12;
  public static final int SKIP_BYTES = 20;

  /** Longer content goes as blocks. */
  public static final int INLINE_BYTES = 32 << 10;

  public static final int OK = 0;
  public static final int ERROR = 1;
  public static final int STATE_LOST = 2;

  /** The server has no keys of the digest: the request is to be sent with keys, same number. */
  public static final int KEYS_MISSING = 3;

  /** Where the encoding of a reply is in its flags. */
  public static final int ENCODING_SHIFT = 8;

  /** The receiver keeps a replica of the sender's keys and is asked for that. */
  public static final int OF_SENDER = 0;

  /** The sender keeps a replica of the receiver's keys, from now on. */
  public static final int OF_RECEIVER = 1;

  /** The state of a server that has all values since the start or a snapshot. */
  public static final long ORIGINAL = 1;

  /** The head of a request. */
  public record Head(
      int flags,
      int type,
      int stream,
      int encodings,
      int app,
      int customer,
      int command,
      long number,
      long afterFirst,
      long afterSecond,
      long afterThird,
      int timestamp,
      int identity,
      int floor,
      int keys,
      long values,
      long state,
      long digest) {

    /** The number in a stream that this request follows. */
    public long after(int other) {
      return other == 0 ? afterFirst : other == 1 ? afterSecond : afterThird;
    }

    /** This head for a replica: with keys, exact values, and a number of its own. */
    public Head forwarded(long itsNumber, boolean isInline) {
      int its = (flags & (PUSH | TICK | LENS)) | (isInline ? 0 : BLOCKS);
      return new Head(
          its, type, 0, 0, app, customer, command, itsNumber, 0, 0, 0, timestamp, identity, floor,
          keys, values, state, 0);
    }

    public boolean has(int flag) {
      return (flags & flag) != 0;
    }

    /** Bytes of this head. */
    public int bytes() {
      return REQUEST_BYTES + (has(DIGEST | KEEP) ? Long.BYTES : 0);
    }

    public int pushedEncoding() {
      return encodings & 0xf;
    }

    public int pulledEncoding() {
      return encodings >>> 4;
    }

    public void write(ByteBuffer out) {
      out.put((byte) flags).put((byte) type).put((byte) stream).put((byte) encodings);
      out.putInt(app).putInt(customer).putInt(command).putLong(number);
      out.putLong(afterFirst).putLong(afterSecond).putLong(afterThird);
      out.putInt(timestamp).putInt(identity).putInt(floor).putInt(keys);
      out.putLong(values).putLong(state);
      if (has(DIGEST | KEEP)) {
        out.putLong(digest);
      }
    }

    /** Reads a head; null if it is malformed. */
    public static Head read(Message message) {
      if (message.length() < REQUEST_BYTES) {
        return null;
      }
      ByteBuffer in = buffer(message);
      int flags = in.get();
      int type = in.get();
      int stream = in.get();
      int encodings = in.get() & 0xff;
      int app = in.getInt();
      int customer = in.getInt();
      int command = in.getInt();
      long number = in.getLong();
      long first = in.getLong();
      long second = in.getLong();
      long third = in.getLong();
      int timestamp = in.getInt();
      int identity = in.getInt();
      int floor = in.getInt();
      int keys = in.getInt();
      long values = in.getLong();
      long state = in.getLong();
      boolean hasDigest = (flags & (DIGEST | KEEP)) != 0;
      if (stream < 0
          || stream >= STREAMS
          || keys < 0
          || values < 0
          || number < 1
          || (hasDigest && in.remaining() < Long.BYTES)) {
        return null;
      }
      long digest = hasDigest ? in.getLong() : 0;
      return new Head(
          flags, type, stream, encodings, app, customer, command, number, first, second, third,
          timestamp, identity, floor, keys, values, state, digest);
    }
  }

  private KvProtocol() {}

  public static ByteBuffer buffer(Message message) {
    return ByteBuffer.wrap(message.bytes(), message.offset(), message.length())
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  public static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public static byte[] skip(int app, int customer, int stream, long number) {
    byte[] bytes = new byte[SKIP_BYTES];
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(app)
        .putInt(customer)
        .putInt(stream)
        .putLong(number);
    return bytes;
  }

  /** A message of what has been written to a buffer of {@link #allocate}, and blocks. */
  public static Message message(ByteBuffer out, List<Block> blocks) {
    return Message.of(out.array(), out.arrayOffset(), out.position(), blocks);
  }
}
