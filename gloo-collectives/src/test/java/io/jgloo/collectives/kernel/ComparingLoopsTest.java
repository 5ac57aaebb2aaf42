package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The least and the greatest of floats as C++ compares them, operand by operand. */
@Timeout(60)
final class ComparingLoopsTest {
  private static final float NAN = Float.intBitsToFloat(0x7fc0_0123);
  private static final float[] ONE = {1, 2, NAN, 1, 0f, -0f, -1, Float.NEGATIVE_INFINITY};
  private static final float[] OTHER = {2, 1, 1, NAN, -0f, 0f, -1, 3};
  private static final float[] MAX = {2, 2, NAN, 1, 0f, -0f, -1, 3};
  private static final float[] MIN = {1, 1, NAN, 1, 0f, -0f, -1, Float.NEGATIVE_INFINITY};

  @Test
  void theFirstOperandWinsWhatCannotBeCompared() {
    check(DataType.FLOAT32, ReduceOp.MAX, MAX);
    check(DataType.FLOAT32, ReduceOp.MIN, MIN);
    check(DataType.FLOAT64, ReduceOp.MAX, MAX);
    check(DataType.FLOAT64, ReduceOp.MIN, MIN);
    check(DataType.BFLOAT16, ReduceOp.MAX, MAX);
    check(DataType.BFLOAT16, ReduceOp.MIN, MIN);
    check(DataType.FLOAT16, ReduceOp.MAX, MAX);
    check(DataType.FLOAT16, ReduceOp.MIN, MIN);
  }

  /** Once with the target as the first operand, and flipped with the source. */
  private static void check(DataType type, ReduceOp op, float[] expected) {
    byte[] wanted = bytes(type, expected);
    Reduction kernel = Kernels.GLOO.kernel(type, op);
    assertArrayEquals(
        wanted, reduced(kernel, bytes(type, ONE), bytes(type, OTHER)), type + " " + op);
    Reduction flipped = Kernels.GLOO.flipped(type, op);
    assertArrayEquals(
        wanted,
        reduced(flipped, bytes(type, OTHER), bytes(type, ONE)),
        "flipped " + type + " " + op);
  }

  private static byte[] reduced(Reduction kernel, byte[] target, byte[] source) {
    long memory = Memory.allocate(2L * target.length, 64);
    try {
      Memory.copy(target, 0, memory, target.length);
      Memory.copy(source, 0, memory + target.length, source.length);
      kernel.reduce(memory, memory + target.length, target.length);
      byte[] result = new byte[target.length];
      Memory.copy(memory, result, 0, result.length);
      return result;
    } finally {
      Memory.free(memory);
    }
  }

  /** In the type; of a NaN the sign and payload stay as far as they fit. */
  private static byte[] bytes(DataType type, float[] values) {
    ByteBuffer out =
        ByteBuffer.allocate(values.length * type.bytes()).order(ByteOrder.nativeOrder());
    for (float value : values) {
      switch (type) {
        case FLOAT64 -> out.putDouble(value);
        case FLOAT32 -> out.putInt(Float.floatToRawIntBits(value));
        case BFLOAT16 -> out.putShort((short) (Float.floatToRawIntBits(value) >> 16));
        default -> out.putShort(Float.isNaN(value) ? (short) 0x7e12 : Float16.round(value));
      }
    }
    return out.array();
  }

  @Test
  void allElseIsAsAlways() {
    for (DataType type : List.of(DataType.INT32, DataType.UINT8)) {
      byte[] one = {1, 2, 3, 4, -5, 6, 7, 8};
      byte[] other = {8, 7, 6, 5, 4, -3, 2, 1};
      for (ReduceOp op : List.of(ReduceOp.MAX, ReduceOp.MIN, ReduceOp.SUM)) {
        assertArrayEquals(
            reduced(Kernels.ARITHMETIC.kernel(type, op), one, other),
            reduced(Kernels.GLOO.kernel(type, op), one, other));
      }
    }
  }
}
