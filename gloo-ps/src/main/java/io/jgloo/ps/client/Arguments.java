package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Checks what a user gives to calls of a worker.
 *
 * @param contiguous whether the keys of a server follow each other in a call
 */
public record Arguments<A>(ValueType<A> type, boolean contiguous) {

  public Operand<A> arrays(long[] keys, A values, KvCall options) {
    Operand<A> operand = new Operand.OfArrays<>(type, keys, values);
    operand.requireAscending();
    int[] lens = options.lens();
    if (lens != null
        && (lens.length != keys.length || Arrays.stream(lens).anyMatch(length -> length < 0))) {
      throw new IllegalArgumentException(
          "lens must be " + keys.length + " numbers from 0 on, are " + Arrays.toString(lens));
    }
    if (values != null) {
      int count = type.length(values);
      long whole = keys.length == 0 ? 0 : count / keys.length * (long) keys.length;
      long wanted = lens == null ? whole : sum(lens);
      if (count != wanted) {
        throw new IllegalArgumentException(
            count + " values do not fit " + keys.length + " keys: must be " + wanted);
      }
    }
    return operand;
  }

  private static long sum(int[] lens) {
    return Arrays.stream(lens).asLongStream().sum();
  }

  /** Room for pulled values; as many as lens say if it has that length, or nothing is pushed. */
  public Sink<A> to(long[] keys, A values, KvCall options, boolean isPush) {
    int[] lens = options.lens();
    int room = type.length(values);
    if (lens == null || (isPush && room != sum(lens))) {
      return new Sink.ToArray<>(values, each(keys.length, room));
    }
    if (room != sum(lens)) {
      throw new IllegalArgumentException(
          "room for " + room + " values is not that for the sum of lens, " + sum(lens));
    }
    return new Sink.ToLens<>(values, lens);
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
    if (options.lens() != null) {
      throw new IllegalArgumentException("calls without copy have no lens");
    }
    Operand<A> operand = new Operand.OfBuffers<>(type, keys.duplicate(), values);
    operand.requireAscending();
    if (values != null) {
      requireDirect(values);
      each(operand.size(), operand.valueCount());
    }
    return operand;
  }

  private static void requireDirect(ByteBuffer buffer) {
    if (!buffer.isDirect() || buffer.order() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException("buffer must be direct and little-endian, is " + buffer);
    }
  }

  public Sink<A> to(Operand<A> operand, ByteBuffer values) {
    requireDirect(values);
    int each = each(operand.size(), values.remaining() / type.bytes());
    return new Sink.ToBuffer<>(values.duplicate(), each, type.bytes());
  }
}
