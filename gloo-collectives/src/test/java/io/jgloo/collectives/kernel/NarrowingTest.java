package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All code that converts, Java and native, gives the bits of the scalar conversions. */
@Timeout(60)
class NarrowingTest {

  private static final int VALUES = 1 << 16;
  private static final byte CANARY = (byte) 0xa5;

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void everyValueIsWidenedAndNarrowedToItself(DataType type) {
    long narrow = Memory.allocate(2L * VALUES, 64);
    long wide = Memory.allocate(4L * VALUES, 64);
    try {
      for (int level = -1; level <= NativeKernels.level(); level++) {
        Narrowing narrowing = Narrowing.of(type, level);
        for (int i = 0; i < VALUES; i++) {
          Memory.putShort(narrow + 2L * i, (short) i);
        }
        narrowing.widen(wide, narrow, 2L * VALUES);
        narrowing.narrow(narrow, wide, 2L * VALUES);
        for (int i = 0; i < VALUES; i++) {
          float value = widen(type, (short) i);
          float widened = Memory.getFloat(wide + 4L * i);
          short back = Memory.getShort(narrow + 2L * i);
          boolean kept = Float.isNaN(value) ? Float.isNaN(widen(type, back)) : back == (short) i;
          if (Float.compare(value, widened) != 0 || !kept) {
            fail("level " + level + ", bits " + i + ": " + widened + ", and back " + back);
          }
        }
      }
    } finally {
      Memory.free(narrow);
      Memory.free(wide);
    }
  }

  /** Of any length, at any address, rounded as the reference does, and nothing beyond the end. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void floatsAreRoundedAlikeByAllCode(DataType type) {
    Random random = new Random(type.bytes());
    long narrow = Memory.allocate(2L * 5000 + 8, 64) + 1;
    long wide = Memory.allocate(4L * 5000 + 8, 64) + 3;
    try {
      for (int level = -1; level <= NativeKernels.level(); level++) {
        Narrowing narrowing = Narrowing.of(type, level);
        for (int count = 0; count < 5000; count += count < 70 ? 1 : 1511) {
          for (int i = 0; i < count; i++) {
            Memory.putFloat(wide + 4L * i, sample(type, random));
          }
          Memory.putByte(narrow + 2L * count, CANARY);
          narrowing.narrow(narrow, wide, 2L * count);
          for (int i = 0; i < count; i++) {
            float value = Memory.getFloat(wide + 4L * i);
            short expected = round(type, value);
            short actual = Memory.getShort(narrow + 2L * i);
            if (expected != actual) {
              assertEquals(expected, actual, level + ": " + value);
            }
          }
          assertEquals(CANARY, Memory.getByte(narrow + 2L * count));
          Memory.putByte(wide + 4L * count, CANARY);
          narrowing.widen(wide, narrow, 2L * count);
          for (int i = 0; i < count; i++) {
            float value = widen(type, Memory.getShort(narrow + 2L * i));
            assertEquals(value, Memory.getFloat(wide + 4L * i));
          }
          assertEquals(CANARY, Memory.getByte(wide + 4L * count));
        }
      }
    } finally {
      Memory.free(narrow - 1);
      Memory.free(wide - 3);
    }
  }

  @Test
  void float16OverflowsToInfinity() {
    assertEquals(65504f, Float16.widen(round(DataType.FLOAT16, Math.nextDown(65520f))));
    assertEquals(Float.POSITIVE_INFINITY, Float16.widen(round(DataType.FLOAT16, 65520f)));
    assertThrows(IllegalArgumentException.class, () -> Narrowing.of(DataType.FLOAT32));
  }

  /** Any float but a NaN, a tie, a value next to one, or one close to the limits of the type. */
  private static float sample(DataType type, Random random) {
    float any = Float.intBitsToFloat(random.nextInt());
    any = Float.isNaN(any) ? Float.NEGATIVE_INFINITY : any;
    float low = widen(type, (short) random.nextInt());
    float tie = Float.intBitsToFloat(Float.floatToRawIntBits(low) | lowestHalf(type));
    tie = Float.isNaN(tie) ? 65520f : tie;
    return switch (random.nextInt(4)) {
      case 0 -> any;
      case 1 -> tie;
      case 2 -> Math.nextUp(tie);
      default -> Math.nextDown(tie);
    };
  }

  private static int lowestHalf(DataType type) {
    return type == DataType.FLOAT16 ? 0x1000 : 0x8000;
  }

  private static float widen(DataType type, short bits) {
    return type == DataType.FLOAT16 ? Float16.widen(bits) : Bfloat16.widen(bits);
  }

  private static short round(DataType type, float value) {
    return type == DataType.FLOAT16 ? Float16.round(value) : Bfloat16.round(value);
  }
}
