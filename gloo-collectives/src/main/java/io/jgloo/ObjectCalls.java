package io.jgloo;

import io.jgloo.collectives.ReduceOp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;

/**
 * Sends objects as bytes, by collectives of the group.
 *
 * <p>The ranks first exchange lengths and limits, so that all of them see alike whether the bytes
 * are sent, and none allocates more than its limit. A rank that cannot encode its object announces
 * that in place of a length.
 */
@NullUnmarked // at the root only, or what a codec takes
final class ObjectCalls {

  /** In place of a length: the object could not be encoded. */
  private static final long NOT_ENCODED = -1;

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final ProcessGroup group;

  /**
   * @param group whose calls choose their algorithms themselves
   */
  ObjectCalls(ProcessGroup group) {
    this.group = group;
  }

  <T> T broadcast(T value, int root, ObjectCodec<T> codec, int maxBytes) {
    Arguments.rank("root", root, group.size());
    check(codec, maxBytes);
    boolean sends = group.rank() == root;
    Encoded own = sends ? Encoded.of(value, codec) : null;
    long[] lengthAndLimit = {sends ? own.length() : Long.MIN_VALUE, -maxBytes};
    group.allreduce(lengthAndLimit, ReduceOp.MAX);
    if (sends) {
      own.check(root);
    }
    checkLength(root, lengthAndLimit[0], -lengthAndLimit[1]);
    byte[] bytes = sends ? own.bytes : new byte[(int) lengthAndLimit[0]];
    group.broadcast(Payload.of(bytes), root);
    return sends ? value : decode(root, bytes, codec);
  }

  <T> List<T> allgather(T value, ObjectCodec<T> codec, int maxBytes) {
    check(codec, maxBytes);
    int size = group.size();
    int rank = group.rank();
    Encoded own = Encoded.of(value, codec);
    long[] lengthsAndLimits = new long[2 * size];
    group.allgather(new long[] {own.length(), maxBytes}, lengthsAndLimits);
    own.check(rank);
    long[] lengths = new long[size];
    long limit = Long.MAX_VALUE;
    for (int each = 0; each < size; each++) {
      lengths[each] = lengthsAndLimits[2 * each];
      limit = Math.min(limit, lengthsAndLimits[2 * each + 1]);
    }
    long total = 0;
    for (int each = 0; each < size; each++) {
      checkLength(each, lengths[each], limit);
      total += lengths[each];
    }
    if (total > LONGEST_ARRAY) {
      throw new ObjectCodecException(
          rank,
          ("the objects of all ranks have " + total + " bytes together")
              + (", more than an array can hold, " + LONGEST_ARRAY),
          null);
    }
    byte[] all = new byte[(int) total];
    group.allgatherv(Payload.of(own.bytes), Payload.of(all), lengths);
    List<T> values = new ArrayList<>(size);
    int at = 0;
    for (int each = 0; each < size; each++) {
      int end = at + (int) lengths[each];
      values.add(each == rank ? value : decode(each, Arrays.copyOfRange(all, at, end), codec));
      at = end;
    }
    return values;
  }

  private static void check(ObjectCodec<?> codec, int maxBytes) {
    Arguments.present("codec", codec);
    if (maxBytes < 0 || maxBytes > LONGEST_ARRAY) {
      throw new IllegalArgumentException(
          "maxBytes must be 0 to " + LONGEST_ARRAY + ", but is " + maxBytes);
    }
  }

  /** Throws at all ranks alike. */
  private static void checkLength(int rank, long length, long limit) {
    if (length < 0) {
      throw new ObjectCodecException(rank, "rank " + rank + " cannot encode its object", null);
    }
    if (length > limit) {
      throw new ObjectCodecException(
          rank,
          ("the object of rank " + rank + " has " + length + " bytes")
              + (", more than the least maxBytes of all ranks, " + limit),
          null);
    }
  }

  private static <T> T decode(int rank, byte[] bytes, ObjectCodec<T> codec) {
    int length = bytes.length;
    try {
      return codec.decode(bytes);
    } catch (RuntimeException e) {
      throw new ObjectCodecException(
          rank,
          "the object of rank " + rank + ", of " + length + " bytes, cannot be decoded: " + e,
          e);
    }
  }

  /** What came of encoding. */
  private static final class Encoded {
    private final byte[] bytes; // null if it has failed
    private final Throwable thrown; // null if it has not

    private Encoded(byte[] bytes, Throwable thrown) {
      this.bytes = bytes;
      this.thrown = thrown;
    }

    static <T> Encoded of(T value, ObjectCodec<T> codec) {
      try {
        return new Encoded(Arguments.present("the result of encode", codec.encode(value)), null);
      } catch (RuntimeException | Error e) { // thrown when the other ranks know
        return new Encoded(null, e);
      }
    }

    long length() {
      return bytes == null ? NOT_ENCODED : bytes.length;
    }

    void check(int rank) {
      if (thrown instanceof Error error) {
        throw error;
      } else if (thrown != null) {
        throw new ObjectCodecException(
            rank, "rank " + rank + " cannot encode its object: " + thrown, thrown);
      }
    }
  }
}
