package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.Part;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * The keys of a call, and the values that it pushes: in arrays, which are copied when a request is
 * made, or in direct buffers, which are sent as they are.
 *
 * @param <A> type of arrays of values
 */
public final class Operand<A> {

  private final ValueType<A> type;
  private final long[] keys;
  private final A values;
  private final ByteBuffer keyBuffer;
  private final ByteBuffer valueBuffer;

  private Operand(
      ValueType<A> type, long[] keys, A values, ByteBuffer keyBuffer, ByteBuffer valueBuffer) {
    this.type = type;
    this.keys = keys;
    this.values = values;
    this.keyBuffer = keyBuffer;
    this.valueBuffer = valueBuffer;
  }

  /** Keys, with values unless they are null. */
  static <A> Operand<A> of(ValueType<A> type, long[] keys, A values) {
    return new Operand<>(type, keys, values, null, null);
  }

  /** Keys in a direct buffer, with values unless they are null. */
  static <A> Operand<A> of(ValueType<A> type, ByteBuffer keys, ByteBuffer values) {
    return new Operand<>(type, null, null, keys, values);
  }

  /** Number of keys. */
  public int size() {
    return keys != null ? keys.length : keyBuffer.remaining() / 8;
  }

  long key(int index) {
    return keys != null
        ? keys[index]
        : Memory.getLong(Memory.addressOf(keyBuffer) + keyBuffer.position() + 8L * index);
  }

  boolean hasValues() {
    return values != null || valueBuffer != null;
  }

  /** Number of values. */
  int valueCount() {
    return values != null
        ? type.length(values)
        : valueBuffer != null ? valueBuffer.remaining() / type.bytes() : 0;
  }

  Part keys(int from, int count) {
    return keys != null ? Part.of(keys, from, count) : part(keyBuffer, 8, from, count);
  }

  Part values(int from, int count) {
    if (values == null) {
      return part(valueBuffer, type.bytes(), from, count);
    }
    Block block = Block.allocate((long) type.bytes() * count);
    type.put(values, from, count, block.address());
    return Part.of(block);
  }

  private static Part part(ByteBuffer source, int bytes, int from, int count) {
    return Part.of(Block.of(source.slice(source.position() + bytes * from, bytes * count)));
  }

  /**
   * Chooses keys that are in arrays, with their values.
   *
   * @param begins where the values of each key begin and the last ones end
   */
  Operand<A> gather(int[] begins, int[] positions) {
    long[] some = new long[positions.length];
    int total = 0;
    for (int i = 0; i < some.length; i++) {
      some[i] = keys[positions[i]];
      total += begins[positions[i] + 1] - begins[positions[i]];
    }
    if (values == null) {
      return of(type, some, null);
    }
    A its = type.newArray(total);
    int at = 0;
    for (int position : positions) {
      int length = begins[position + 1] - begins[position];
      System.arraycopy(values, begins[position], its, at, length);
      at += length;
    }
    return of(type, some, its);
  }

  /**
   * @throws IllegalArgumentException if a key is not greater than the one before
   */
  void requireAscending() {
    for (int i = 1; i < size(); i++) {
      if (Long.compareUnsigned(key(i - 1), key(i)) >= 0) {
        throw new IllegalArgumentException(
            ("keys must be unsigned, ascending and unique, but key " + i + " is ")
                + (Long.toUnsignedString(key(i)) + " after " + Long.toUnsignedString(key(i - 1))));
      }
    }
  }

  /**
   * Checks what a user gives to calls of a worker.
   *
   * @param contiguous whether the keys of a server follow each other in a call
   */
  public record Arguments<A>(ValueType<A> type, boolean contiguous) {

    /** Keys without values. */
    public Operand<A> keys(long[] keys, KvCall options) {
      Objects.requireNonNull(keys, "keys");
      return checked(Operand.of(type, keys, null), options);
    }

    /** Neither keys nor values. */
    public Operand<A> none() {
      return Operand.of(type, new long[0], null);
    }

    /** Keys with values. */
    public Operand<A> arrays(long[] keys, A values, KvCall options) {
      Objects.requireNonNull(keys, "keys");
      Objects.requireNonNull(values, "values");
      return checked(Operand.of(type, keys, values), options);
    }

    private Operand<A> checked(Operand<A> operand, KvCall options) {
      operand.requireAscending();
      int size = operand.size();
      int[] lens = options.lens();
      if (lens != null && lens.length != size) {
        throw new IllegalArgumentException(
            "lens must have a number for each of " + size + " keys, has " + lens.length);
      }
      for (int i = 0; lens != null && i < size; i++) {
        if (lens[i] < 0) {
          throw new IllegalArgumentException("lens[" + i + "] must not be negative, is " + lens[i]);
        }
      }
      if (operand.hasValues()) {
        int count = operand.valueCount();
        long whole = size == 0 ? 0 : count / size * (long) size;
        long wanted = lens == null ? whole : sum(lens);
        if (count != wanted) {
          throw new IllegalArgumentException(
              count + " values do not fit " + size + " keys: must be " + wanted);
        }
      }
      return operand;
    }

    private static long sum(int[] lens) {
      return Arrays.stream(lens).asLongStream().sum();
    }

    /** Room for pulled values in an array. */
    public Sink<A> to(long[] keys, A values, KvCall options, boolean isPush) {
      return room(values, null, keys.length, type.length(values), options, isPush);
    }

    /** Room for pulled values in a buffer. */
    public Sink<A> to(Operand<A> operand, ByteBuffer values, KvCall options) {
      requireDirect(values);
      requireWhole("room for values", values, type.bytes());
      int room = values.remaining() / type.bytes();
      return room(null, values.duplicate(), operand.size(), room, options, false);
    }

    /** As many as lens say if the room is for their sum, or nothing is pushed. */
    private Sink<A> room(
        A array, ByteBuffer buffer, int keys, int room, KvCall options, boolean isPush) {
      int[] lens = options.lens();
      if (lens != null && room != sum(lens)) {
        if (!isPush) {
          throw new IllegalArgumentException(
              "room for " + room + " values is not that for the sum of lens, " + sum(lens));
        }
        lens = null;
      }
      int each = lens == null ? each(keys, room) : 0;
      return new Sink.ToRoom<>(array, buffer, type.bytes(), keys, lens, each);
    }

    private static int each(int keys, int values) {
      if (keys == 0 ? values != 0 : values % keys != 0) {
        throw new IllegalArgumentException(
            "room for " + values + " values is not a multiple of " + keys + " keys");
      }
      return keys == 0 ? 0 : values / keys;
    }

    public Operand<A> buffers(ByteBuffer keys, ByteBuffer values, KvCall options) {
      requireDirect(keys);
      if (!contiguous) {
        throw new IllegalArgumentException("calls without copy need contiguous slices");
      }
      requireWhole("keys", keys, Long.BYTES);
      if (values != null) {
        requireDirect(values);
        requireWhole("values", values, type.bytes());
      }
      return checked(Operand.of(type, keys.duplicate(), values), options);
    }

    private static void requireWhole(String name, ByteBuffer buffer, int bytes) {
      if (buffer.remaining() % bytes != 0) {
        throw new IllegalArgumentException(
            (name + " must have a multiple of " + bytes + " bytes remaining, have ")
                + buffer.remaining());
      }
    }

    private static void requireDirect(ByteBuffer buffer) {
      if (!buffer.isDirect() || buffer.order() != ByteOrder.LITTLE_ENDIAN) {
        throw new IllegalArgumentException("buffer must be direct and little-endian, is " + buffer);
      }
    }
  }
}
