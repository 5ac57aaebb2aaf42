package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.util.Map;

/**
 * Plain loops over addresses for the four types that matter most, for a few elements at a time.
 *
 * <p>Scalar code, yet ahead of copying through arrays for up to a few hundred bytes. Never unroll
 * these by hand: it halves their speed. {@code floatToIntBits}, without "raw", makes any NaN the
 * canonical one.
 */
final class AddressLoops {

  static final Map<ReduceOp, Loop> FLOAT32 =
      Map.of(
          ReduceOp.SUM, AddressLoops::sumFloats,
          ReduceOp.PRODUCT, AddressLoops::productFloats,
          ReduceOp.MIN, AddressLoops::minFloats,
          ReduceOp.MAX, AddressLoops::maxFloats);

  static final Map<ReduceOp, Loop> FLOAT64 =
      Map.of(
          ReduceOp.SUM, AddressLoops::sumDoubles,
          ReduceOp.PRODUCT, AddressLoops::productDoubles,
          ReduceOp.MIN, AddressLoops::minDoubles,
          ReduceOp.MAX, AddressLoops::maxDoubles);

  static final Map<ReduceOp, Loop> INT32 =
      Map.of(
          ReduceOp.SUM, AddressLoops::sumInts,
          ReduceOp.PRODUCT, AddressLoops::productInts,
          ReduceOp.MIN, AddressLoops::minInts,
          ReduceOp.MAX, AddressLoops::maxInts);

  static final Map<ReduceOp, Loop> INT64 =
      Map.of(
          ReduceOp.SUM, AddressLoops::sumLongs,
          ReduceOp.PRODUCT, AddressLoops::productLongs,
          ReduceOp.MIN, AddressLoops::minLongs,
          ReduceOp.MAX, AddressLoops::maxLongs);

  private AddressLoops() {}

  private static void sumFloats(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putFloat(at, Memory.getFloat(at) + Memory.getFloat(source + i));
    }
  }

  private static void productFloats(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putFloat(at, Memory.getFloat(at) * Memory.getFloat(source + i));
    }
  }

  private static void minFloats(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      float chosen = Math.min(Memory.getFloat(at), Memory.getFloat(source + i));
      Memory.putInt(at, Float.floatToIntBits(chosen));
    }
  }

  private static void maxFloats(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      float chosen = Math.max(Memory.getFloat(at), Memory.getFloat(source + i));
      Memory.putInt(at, Float.floatToIntBits(chosen));
    }
  }

  private static void sumDoubles(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putDouble(at, Memory.getDouble(at) + Memory.getDouble(source + i));
    }
  }

  private static void productDoubles(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putDouble(at, Memory.getDouble(at) * Memory.getDouble(source + i));
    }
  }

  private static void minDoubles(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      double chosen = Math.min(Memory.getDouble(at), Memory.getDouble(source + i));
      Memory.putLong(at, Double.doubleToLongBits(chosen));
    }
  }

  private static void maxDoubles(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      double chosen = Math.max(Memory.getDouble(at), Memory.getDouble(source + i));
      Memory.putLong(at, Double.doubleToLongBits(chosen));
    }
  }

  private static void sumInts(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putInt(at, Memory.getInt(at) + Memory.getInt(source + i));
    }
  }

  private static void productInts(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putInt(at, Memory.getInt(at) * Memory.getInt(source + i));
    }
  }

  private static void minInts(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putInt(at, Math.min(Memory.getInt(at), Memory.getInt(source + i)));
    }
  }

  private static void maxInts(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 4) {
      long at = target + i;
      Memory.putInt(at, Math.max(Memory.getInt(at), Memory.getInt(source + i)));
    }
  }

  private static void sumLongs(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putLong(at, Memory.getLong(at) + Memory.getLong(source + i));
    }
  }

  private static void productLongs(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putLong(at, Memory.getLong(at) * Memory.getLong(source + i));
    }
  }

  private static void minLongs(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putLong(at, Math.min(Memory.getLong(at), Memory.getLong(source + i)));
    }
  }

  private static void maxLongs(long target, long source, long bytes) {
    for (long i = 0; i < bytes; i += 8) {
      long at = target + i;
      Memory.putLong(at, Math.max(Memory.getLong(at), Memory.getLong(source + i)));
    }
  }
}
