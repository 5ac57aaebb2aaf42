package io.jgloo.bench.operation;

import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import java.util.function.LongUnaryOperator;

/**
 * A sequence of known elements that repeats, to fill vectors with and to compare them with.
 *
 * <p>Its period is a prime, so no element that is off by a chunk or a segment looks right; and it
 * is short, so that checking 64 MiB on many ranks costs a memory comparison and not a reduction.
 *
 * <p><em>Threads</em>: one. <em>Owns</em>: its memory.
 */
final class Pattern implements AutoCloseable {

  /** Elements; a Mersenne prime. */
  static final int PERIOD = 131_071;

  private static final int PIECE_BYTES = 64 * 1024;

  private final DataType type;
  private final int length;
  private final long table;
  private final long scratch;

  /**
   * @param phase which element of the sequence it begins with
   * @param count elements that will be needed
   * @param element bits of the element at an index below {@link #PERIOD}
   */
  Pattern(DataType type, long phase, long count, LongUnaryOperator element) {
    this.type = type;
    length = (int) Math.max(1, Math.min(PERIOD, count));
    table = Memory.allocate((long) length * type.bytes(), Memory.CACHE_LINE);
    scratch = Memory.allocate(PIECE_BYTES, Memory.CACHE_LINE);
    for (int place = 0; place < length; place++) {
      put(table + (long) place * type.bytes(), element.applyAsLong((phase + place) % PERIOD));
    }
  }

  /** Writes {@code count} elements to a vector, from its element {@code first} on. */
  void fill(Vector vector, long first, long count) {
    int bytes = type.bytes();
    for (long done = 0; done < count; ) {
      long place = done % length;
      long run = Math.min(count - done, length - place);
      vector.write((first + done) * bytes, table + place * bytes, run * bytes);
      done += run;
    }
  }

  /** Compares {@code count} elements of a vector, from its element {@code first} on. */
  void check(Vector vector, long first, long count, Findings findings) {
    int bytes = type.bytes();
    for (long done = 0; done < count; ) {
      long place = done % length;
      long run = Math.min(Math.min(count - done, length - place), PIECE_BYTES / bytes);
      vector.read((first + done) * bytes, scratch, run * bytes);
      if (!equal(table + place * bytes, scratch, run * bytes)) {
        compare(table + place * bytes, run, first + done, findings);
      }
      done += run;
    }
  }

  private void compare(long expected, long count, long first, Findings findings) {
    for (long index = 0; index < count; index++) {
      long wanted = get(expected + index * type.bytes());
      long found = get(scratch + index * type.bytes());
      if (wanted != found) {
        findings.wrong(first + index, type, wanted, found);
      }
    }
  }

  private static boolean equal(long a, long b, long bytes) {
    long words = bytes & ~7;
    for (long at = 0; at < words; at += Long.BYTES) {
      if (Memory.getLong(a + at) != Memory.getLong(b + at)) {
        return false;
      }
    }
    for (long at = words; at < bytes; at++) {
      if (Memory.getByte(a + at) != Memory.getByte(b + at)) {
        return false;
      }
    }
    return true;
  }

  private void put(long at, long bits) {
    switch (type.bytes()) {
      case 1 -> Memory.putByte(at, (byte) bits);
      case 2 -> Memory.putShort(at, (short) bits);
      case 4 -> Memory.putInt(at, (int) bits);
      default -> Memory.putLong(at, bits);
    }
  }

  private long get(long at) {
    return Numbers.cut(
        type,
        switch (type.bytes()) {
          case 1 -> Memory.getByte(at);
          case 2 -> Memory.getShort(at);
          case 4 -> Memory.getInt(at);
          default -> Memory.getLong(at);
        });
  }

  @Override
  public void close() {
    Memory.free(table);
    Memory.free(scratch);
  }
}
