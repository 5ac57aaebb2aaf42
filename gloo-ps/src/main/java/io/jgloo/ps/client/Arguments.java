package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

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
