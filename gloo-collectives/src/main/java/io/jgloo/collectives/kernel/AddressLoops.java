package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;

/**
 * Plain loops over addresses for sums of the four types that matter most, of a few elements.
 *
 * <p>Scalar code, yet ahead of copying through arrays for up to a few hundred bytes. Never unroll
 * these by hand: it halves their speed.
 */
final class AddressLoops {

  private AddressLoops() {}

  /** The sum of a type, or null if it is not one of the four. */
  static Loop sum(DataType type) {
    return switch (type) {
      case FLOAT32 -> AddressLoops::sumFloats;
      case FLOAT64 -> AddressLoops::sumDoubles;
      case INT32 -> AddressLoops::sumInts;
      case INT64 -> AddressLoops::sumLongs;
      default -> null;
    };
  }

  private static void sumFloats(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putFloat(at, Memory.getFloat(at) + Memory.getFloat(source + i));
    }
  }

  private static void sumDoubles(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putDouble(at, Memory.getDouble(at) + Memory.getDouble(source + i));
    }
  }

  private static void sumInts(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putInt(at, Memory.getInt(at) + Memory.getInt(source + i));
    }
  }

  private static void sumLongs(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putLong(at, Memory.getLong(at) + Memory.getLong(source + i));
    }
  }
}
