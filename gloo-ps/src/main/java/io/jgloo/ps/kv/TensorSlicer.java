package io.jgloo.ps.kv;

/**
 * Cuts dense tensors into parts of equal length, and spreads the parts of each over the servers.
 *
 * <p>A part is a key with as many values as it is long. Calls use the keys and lens of {@link
 * #parts}, and servers a handle for values of any length, such as {@link
 * io.jgloo.ps.handle.Handles#sum} with 0.
 */
public final class TensorSlicer implements Slicer {

  /**
   * The parts of a range of a tensor.
   *
   * @param keys of the parts
   * @param lens number of values of each part, for {@link KvCall#withLens}
   */
  @SuppressWarnings("ArrayRecordComponent") // used as they are
  public record Parts(long[] keys, int[] lens) {}

  private final int partLength;

  /**
   * @param partLength values of a part; the last one of a tensor may have fewer
   * @throws IllegalArgumentException if it is not positive
   */
  public TensorSlicer(int partLength) {
    if (partLength < 1) {
      throw new IllegalArgumentException("partLength must be positive, is " + partLength);
    }
    this.partLength = partLength;
  }

  /**
   * The parts of a range of values.
   *
   * @param tensor number of the tensor, from 0 on
   * @param offset first value, a multiple of the length of a part
   * @param length number of values; the range ends where a part ends, or the tensor
   * @throws IllegalArgumentException if a number is out of range
   */
  public Parts parts(int tensor, long offset, int length) {
    long first = offset / partLength;
    if (tensor < 0 || offset < 0 || length < 0 || offset % partLength != 0) {
      throw new IllegalArgumentException(
          ("tensor, offset and length must not be negative, and offset a multiple of " + partLength)
              + (", are " + tensor + ", " + offset + " and " + length));
    }
    int count = (int) (((long) length + partLength - 1) / partLength);
    if (first + count > 1L << 32) {
      throw new IllegalArgumentException(
          "a tensor has at most 2^32 parts, but these end at " + (first + count));
    }
    long[] keys = new long[count];
    int[] lens = new int[count];
    for (int i = 0; i < count; i++) {
      keys[i] = (long) tensor << 32 | (first + i);
      lens[i] = Math.min(partLength, length - i * partLength);
    }
    return new Parts(keys, lens);
  }

  /** One part after the other, from a server on that depends on the tensor. */
  @Override
  public int server(long key, int servers) {
    int first = Slicer.HASH.server(key >>> 32, servers);
    return (int) ((first + (key & 0xffffffffL)) % servers);
  }

  @Override
  public String toString() {
    return "TENSOR/" + partLength;
  }
}
