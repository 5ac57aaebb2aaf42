package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import java.util.Optional;

/**
 * Converts float32 to a float type of 16 bits, rounding to nearest even, and back, which is exact.
 *
 * <p>What exceeds the greatest float16, 65504, by half a unit or more becomes infinite.
 *
 * <p><em>Threads</em>: any.
 */
public final class Narrowing {

  private final Loop narrow;
  private final Loop widen;
  private final Optional<Loop> nativeNarrow;
  private final Optional<Loop> nativeWiden;
  private final long nativeBytes;

  private Narrowing(DataType type, int level) {
    boolean half = type == DataType.FLOAT16;
    narrow = half ? Narrowing::toFloat16 : Narrowing::toBfloat16;
    widen = half ? Narrowing::ofFloat16 : Narrowing::ofBfloat16;
    nativeNarrow = NativeKernels.loop(level, type, NativeKernels.NARROW);
    nativeWiden = NativeKernels.loop(level, type, NativeKernels.WIDEN);
    nativeBytes = NativeKernels.CALL_NANOS; // the Java loops do about 1 byte of the type in 1 ns
  }

  /**
   * The conversion of a type, with the fastest code there is.
   *
   * @throws IllegalArgumentException unless it is float16 or bfloat16
   */
  public static Narrowing of(DataType type) {
    return of(type, NativeKernels.level());
  }

  /** The same by the native code for a CPU level, by Java code if that is -1. */
  static Narrowing of(DataType type, int level) {
    if (type != DataType.FLOAT16 && type != DataType.BFLOAT16) {
      throw new IllegalArgumentException("type must be float16 or bfloat16, but is " + type);
    }
    return new Narrowing(type, level);
  }

  /** Converts float32 at an address to so many bytes of the 16-bit type at another one. */
  public void narrow(long target, long source, long bytes) {
    (bytes < nativeBytes ? narrow : nativeNarrow.orElse(narrow)).apply(target, source, bytes);
  }

  /** Converts so many bytes of the 16-bit type at an address to float32 at another one. */
  public void widen(long target, long source, long bytes) {
    (bytes < nativeBytes ? widen : nativeWiden.orElse(widen)).apply(target, source, bytes);
  }

  private static void toFloat16(long target, long source, long bytes) {
    for (long at = 0; at < bytes; at += Short.BYTES) {
      Memory.putShort(target + at, Float16.round(Memory.getFloat(source + 2 * at)));
    }
  }

  private static void toBfloat16(long target, long source, long bytes) {
    for (long at = 0; at < bytes; at += Short.BYTES) {
      Memory.putShort(target + at, Bfloat16.round(Memory.getFloat(source + 2 * at)));
    }
  }

  private static void ofFloat16(long target, long source, long bytes) {
    for (long at = 0; at < bytes; at += Short.BYTES) {
      Memory.putFloat(target + 2 * at, Float16.widen(Memory.getShort(source + at)));
    }
  }

  private static void ofBfloat16(long target, long source, long bytes) {
    for (long at = 0; at < bytes; at += Short.BYTES) {
      Memory.putFloat(target + 2 * at, Bfloat16.widen(Memory.getShort(source + at)));
    }
  }
}
