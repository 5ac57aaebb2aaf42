package io.jgloo.ps.wire;

import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The bytes of requests for keys and of their replies.
 *
 * <pre>
 *   request  u16 flags; origin: i32 application, i32 customer, i32 command, i64 timestamp, i64
 *            identity, i64 floor, i64 round; order: i32 stream, i64 number, 3 x i64 number to
 *            follow in each stream; content: u8 type of values, u8 encoding of pushed values, u8 of
 *            pulled ones, i32 number of keys, i64 number of values, i64 digest of the keys; i64
 *            state; then keys unless DIGEST, lens, values
 *   reply    i64 state, i32 flags, i32 number of keys, i64 number of values; then lens, values
 *   error    i32 code, text
 *   filters  i32 application, i32 wanted; the reply: i32 accepted
 *   replica  i32 rank and i64 incarnation of the worker; then a request
 *   state    i32 application, i32 rank whose keys, i64 number of a transfer or 0 for a new one; the
 *            reply: i64 state, i64 number of the transfer, and a block with a chunk of what {@code
 *            StateReader} reads
 *   drop     i32 application
 *   checkpoint  i32 application, u8 1 to write, 0 to read; the reply or error: text
 *   skip     i32 application, i32 customer, i32 stream, i64 number       all little-endian
 * </pre>
 *
 * <p>With flag BLOCKS keys, lens and values are in blocks instead, one for each part that is not
 * empty. Encodings are numbers of {@link ValueCodec}; in the flags of a reply from bit 8 on.
 */
public final class KvProtocol {

  public static final int SERVICE = 0x5000;
  public static final int FILTERS_SERVICE = 0x5003;
  public static final int REPLICA_SERVICE = 0x5004;
  public static final int STATE_SERVICE = 0x5005;
  public static final int CHECKPOINT_SERVICE = 0x5006;
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

  /** With PUSH: values are set, whatever the rule. */
  public static final int SET = 128;

  /** With PUSH: keys are removed. */
  public static final int REMOVE = 256;

  /** With TICK: the last one of the worker. */
  public static final int LEAVE = 512;

  /** With TICK, which it is not: keys that were not pushed for some rounds are removed. */
  public static final int EVICT = 1024;

  /** The priority of each stream. */
  public static final List<Priority> STREAM_PRIORITIES =
      List.of(Priority.HIGH, Priority.NORMAL, Priority.LOW);

  public static final int STREAMS = 3;
  public static final int REQUEST_BYTES = 2 + 44 + 36 + 23 + 8;
  public static final int REPLY_BYTES = 24;
  public static final int WORKER_BYTES = 12;
  public static final int SKIP_BYTES = 20;

  /** Where the flags of a reply are. */
  public static final int REPLY_FLAGS = 8;

  /** Bytes of the parts of a short request, for which its head has room. */
  public static final int SHORT_BYTES = 64;

  /** Longer content goes as blocks. */
  private static final int INLINE_BYTES = 32 << 10;

  /** A message that only has a status. */
  public static final Message EMPTY = Message.of(new byte[0]);

  public static final int OK = 0;
  public static final int ERROR = 1;
  public static final int STATE_LOST = 2;

  /** The server has no keys of the digest: the request is to be sent with keys, same number. */
  public static final int KEYS_MISSING = 3;

  /** The server does not have the application. */
  public static final int UNKNOWN = 4;

  /** Where the encoding of a reply is in its flags. */
  public static final int ENCODING_SHIFT = 8;

  /** The state of a server that has all values since the start or a snapshot. */
  public static final long ORIGINAL = 1;

  /**
   * What a request is part of.
   *
   * @param identity timestamp by which servers know its pushes, also when they are repeated
   * @param floor lowest identity that may be repeated
   * @param round of the worker, from 1 on
   */
  public record Origin(
      int app, int customer, int command, long timestamp, long identity, long floor, long round) {
    private void write(ByteBuffer out) {
      out.putInt(app).putInt(customer).putInt(command);
      out.putLong(timestamp).putLong(identity).putLong(floor).putLong(round);
    }

    private static Origin read(ByteBuffer in) {
      return new Origin(
          in.getInt(),
          in.getInt(),
          in.getInt(),
          in.getLong(),
          in.getLong(),
          in.getLong(),
          in.getLong());
    }
  }

  /** The place of a request: its number in its stream, and the number to follow in each stream. */
  public record Order(int stream, long number, long high, long normal, long low) {
    /** The number in a stream that the request follows. */
    public long after(int other) {
      return other == 0 ? high : other == 1 ? normal : low;
    }

    private void write(ByteBuffer out) {
      out.putInt(stream).putLong(number).putLong(high).putLong(normal).putLong(low);
    }

    private static Order read(ByteBuffer in) {
      return new Order(in.getInt(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }
  }

  /** Type and numbers of what follows the head; digest of the keys with DIGEST or KEEP. */
  public record Content(int type, int pushed, int pulled, int keys, long values, long digest) {
    private void write(ByteBuffer out) {
      out.put((byte) type).put((byte) pushed).put((byte) pulled).putInt(keys);
      out.putLong(values).putLong(digest);
    }

    private static Content read(ByteBuffer in) {
      return new Content(in.get(), in.get(), in.get(), in.getInt(), in.getLong(), in.getLong());
    }
  }

  /** The head of a request. */
  public record Head(int flags, Origin origin, Order order, Content content, long state) {

    /** This head for a replica: with keys, exact values, and a number of its own. */
    public Head forwarded(long number) {
      return new Head(
          flags & ~(PULL | BLOCKS | DIGEST | KEEP),
          origin,
          new Order(0, number, 0, 0, 0),
          new Content(content.type, 0, 0, content.keys, content.values, 0),
          state);
    }

    public boolean has(int flag) {
      return (flags & flag) != 0;
    }

    /** Whether it changes something, and must not do so twice. */
    public boolean isChange() {
      return has(PUSH | TICK);
    }

    public void write(ByteBuffer out) {
      out.putShort((short) flags);
      origin.write(out);
      order.write(out);
      content.write(out);
      out.putLong(state);
    }

    /** Reads a head; null if it is malformed. */
    public static Head read(Message message) {
      if (message.length() < REQUEST_BYTES) {
        return null;
      }
      ByteBuffer in = buffer(message);
      Head head =
          new Head(in.getShort(), Origin.read(in), Order.read(in), Content.read(in), in.getLong());
      Order order = head.order;
      boolean isPlaced = order.stream >= 0 && order.stream < STREAMS && order.number >= 1;
      return isPlaced && head.content.keys >= 0 && head.content.values >= 0 ? head : null;
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
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(app).putInt(customer).putInt(stream).putLong(number);
    return bytes;
  }

  /** A message of text. */
  public static Message text(String text) {
    return Message.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A message of what has been written to a buffer of {@link #allocate}, and blocks. */
  public static Message message(ByteBuffer out, List<Block> blocks) {
    return Message.of(out.array(), out.arrayOffset(), out.position(), blocks);
  }

  /** The request in a message for a replica, behind its worker; null if it is too short. */
  public static Message forwarded(Message message) {
    int length = message.length() - WORKER_BYTES;
    return length < 0
        ? null
        : Message.of(message.bytes(), message.offset() + WORKER_BYTES, length, message.blocks());
  }

  // Parts: keys, lens, values.

  /** The lens of some keys; no bytes if there are none. */
  public static Part lens(int[] lens, int from, int count) {
    if (lens == null || count == 0) {
      return Part.NONE;
    }
    Block block = Block.allocate(4L * count);
    Memory.copy(lens, from, block.address(), count);
    return Part.of(block);
  }

  /**
   * A message of a head and parts: behind it if they are short, else in blocks.
   *
   * @param flags index of the head's flags, which say so
   */
  public static Message message(ByteBuffer head, int flags, Part... parts) {
    if (bytes(parts) <= INLINE_BYTES) {
      return message(joined(head, parts), List.of());
    }
    head.put(flags, (byte) (head.get(flags) | BLOCKS));
    List<Block> blocks = new ArrayList<>();
    for (Part part : parts) {
      if (part.length() > 0) {
        blocks.add(part.block().get());
      }
    }
    return message(head, blocks);
  }

  private static long bytes(Part... parts) {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.length();
    }
    return bytes;
  }

  /** A head with parts behind it, in the same buffer if that has room. */
  public static ByteBuffer joined(ByteBuffer head, Part... parts) {
    int bytes = Math.toIntExact(bytes(parts));
    boolean hasRoom = head.remaining() >= bytes;
    ByteBuffer out = hasRoom ? head : allocate(head.position() + bytes).put(head.flip());
    for (Part part : parts) {
      if (part.length() > 0) {
        part.put().accept(out);
      }
    }
    return out;
  }

  /**
   * Finds the parts of a message.
   *
   * @param head bytes before them
   * @param own gets a copy of the parts, if they are not blocks
   * @param lengths bytes of each part
   * @return the address of each part; null if the message does not have these lengths
   */
  public static long[] parts(
      Message message, int head, boolean areBlocks, List<Block> own, long... lengths) {
    long next = 0;
    if (!areBlocks) {
      int bytes = message.length() - head;
      if (bytes != LongStream.of(lengths).sum()) {
        return null;
      }
      Block copy = Block.allocate(bytes);
      own.add(copy);
      Memory.copy(message.bytes(), message.offset() + head, copy.address(), bytes);
      next = copy.address();
    }
    Iterator<Block> blocks = message.blocks().iterator();
    long[] at = new long[lengths.length];
    for (int part = 0; part < at.length; part++) {
      if (areBlocks && lengths[part] > 0) {
        Block block = blocks.hasNext() ? blocks.next() : null;
        if (block == null || block.length() != lengths[part]) {
          return null;
        }
        next = block.address();
      }
      at[part] = next;
      next += lengths[part];
    }
    return at;
  }
}
