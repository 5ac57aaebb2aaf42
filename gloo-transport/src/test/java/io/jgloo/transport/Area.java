package io.jgloo.transport;

import io.jgloo.transport.memory.Memory;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Memory of a rank between canaries that must stay unchanged. */
public final class Area {

  private static final int CANARY_BYTES = 128;
  private static final byte CANARY = (byte) 0xa5;

  /** A prime number: bytes that are in the wrong place by a power of two are not the right ones. */
  private static final int PERIOD = 65_521;

  private final long block;
  private final boolean owned;
  private final long address;
  private final int length;
  private final Buffer buffer;

  /**
   * @param skew how far the first byte is off a cache line, at most 63
   */
  public Area(Mesh mesh, int length, int skew) {
    this(mesh, length, skew, Memory.allocate(blockBytes(length), Memory.CACHE_LINE), true);
  }

  /**
   * An area in memory that is there.
   *
   * @param block {@link #blockBytes} from a cache line on
   */
  Area(Mesh mesh, int length, int skew, long block) {
    this(mesh, length, skew, block, false);
  }

  private Area(Mesh mesh, int length, int skew, long block, boolean owned) {
    this.length = length;
    this.block = block;
    this.owned = owned;
    address = block + CANARY_BYTES - Memory.CACHE_LINE + skew;
    byte[] whole = new byte[2 * CANARY_BYTES + length];
    Arrays.fill(whole, CANARY);
    Memory.copy(whole, 0, block, whole.length);
    buffer = mesh.newBuffer().wrap(address, length, this);
  }

  /** Bytes that an area takes with its canaries. */
  static long blockBytes(int length) {
    return 2L * CANARY_BYTES + length;
  }

  public Buffer buffer() {
    return buffer;
  }

  public long address() {
    return address;
  }

  public int length() {
    return length;
  }

  /** Writes bytes that follow from the seed; different seeds give different bytes. */
  public Area fill(long seed) {
    Memory.copy(pattern(seed, length), 0, address, length);
    return this;
  }

  /** Checks that the first bytes are those of {@link #fill} with this seed for that length. */
  public void check(long seed, long bytes) {
    byte[] expected = pattern(seed, Math.toIntExact(bytes));
    int at = Arrays.mismatch(expected, bytes(0, expected.length));
    if (at >= 0) {
      throw new AssertionError("byte %d of %d of pattern %d is wrong".formatted(at, bytes, seed));
    }
  }

  public void check(long seed) {
    check(seed, length);
  }

  public byte[] bytes(int from, int count) {
    byte[] bytes = new byte[count];
    Memory.copy(address + from, bytes, 0, count);
    return bytes;
  }

  public Area ints(int... values) {
    Memory.copy(values, 0, address, values.length);
    return this;
  }

  public int[] ints() {
    int[] values = new int[length / Integer.BYTES];
    Memory.copy(address, values, 0, values.length);
    return values;
  }

  /** Checks the canaries and gives the memory back. */
  void free() {
    int before = (int) (address - block);
    byte[] front = bytes(-before, before);
    byte[] back = bytes(length, 2 * CANARY_BYTES - before);
    buffer.close();
    if (owned) {
      Memory.free(block);
    }
    requireCanaries(front, -before);
    requireCanaries(back, length);
  }

  private void requireCanaries(byte[] bytes, int from) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != CANARY) {
        throw new AssertionError(
            "byte " + (from + i) + " of an area of " + length + " was overwritten");
      }
    }
  }

  /** Random bytes, again and again: to draw all of them takes longer than to exchange them. */
  private static byte[] pattern(long seed, int length) {
    byte[] bytes = new byte[length];
    byte[] drawn = length <= PERIOD ? bytes : new byte[PERIOD];
    new SplittableRandom(seed).nextBytes(drawn);
    for (int at = 0; drawn != bytes && at < length; at += PERIOD) {
      System.arraycopy(drawn, 0, bytes, at, Math.min(PERIOD, length - at));
    }
    return bytes;
  }
}
