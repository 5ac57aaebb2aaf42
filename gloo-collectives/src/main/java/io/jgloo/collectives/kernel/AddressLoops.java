package io.jgloo.collectives.kernel;

import io.jgloo.transport.memory.Memory;

/**
 * Plain loops over addresses for sums of the four types that matter most, of a few elements.
 *
 * <p>Scalar code, yet ahead of copying through arrays for up to a few hundred bytes. Never unroll
 * these by hand: it halves their speed.
 */
final class AddressLoops {

  private AddressLoops() {}

  static void sumFloats(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putFloat(at, Memory.getFloat(at) + Memory.getFloat(source + i));
    }
  }

  static void sumDoubles(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putDouble(at, Memory.getDouble(at) + Memory.getDouble(source + i));
    }
  }

  static void sumInts(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putInt(at, Memory.getInt(at) + Memory.getInt(source + i));
    }
  }

  static void sumLongs(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putLong(at, Memory.getLong(at) + Memory.getLong(source + i));
    }
  }
}
