package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Narrowing;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls on narrowed and on zero payloads give the bits of calls on memory with such elements. */
@Timeout(120)
class NarrowedPayloadTest {

  private static final int[] COUNTS = {0, 1, 2, 3, 5, 64, 1021, 40_009};
  private static final List<ReduceOp> OPS =
      List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MAX, ReduceOp.premulSum(1.0 / 3));

  private static float[] values(int count, int rank) {
    Random random = new Random(31L * count + rank);
    float[] x = new float[count];
    for (int i = 0; i < count; i++) {
      x[i] = (float) random.nextGaussian() * 1000;
    }
    return x;
  }

  /** A direct buffer of the elements, narrowed before the call. */
  private static ByteBuffer narrow(float[] x, DataType type) {
    ByteBuffer wide = direct(4 * x.length);
    wide.asFloatBuffer().put(x);
    ByteBuffer narrow = direct(2 * x.length);
    Narrowing.of(type).narrow(Memory.addressOf(narrow), Memory.addressOf(wide), narrow.limit());
    return narrow;
  }

  private static float[] widen(ByteBuffer narrow, DataType type) {
    ByteBuffer wide = direct(2 * narrow.limit());
    Narrowing.of(type).widen(Memory.addressOf(wide), Memory.addressOf(narrow), narrow.limit());
    return floats(wide.asFloatBuffer());
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private static float[] floats(FloatBuffer x) {
    float[] all = new float[x.limit()];
    x.get(0, all);
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void allreduce_hasTheBitsOfTheNarrowType(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            for (DataType type : List.of(DataType.FLOAT16, DataType.BFLOAT16)) {
              for (int count : COUNTS) {
                for (ReduceOp op : OPS) {
                  float[] x = values(count, rank);
                  ByteBuffer expected = narrow(x, type);
                  group.allreduce(Payload.of(expected, type), op);
                  FloatBuffer y = direct(4 * count).asFloatBuffer().put(0, x);
                  Payload payload =
                      rank % 2 == 0
                          ? Payload.of(x)
                          : Payload.of(y); // heap and direct memory have the same results
                  group.allreduce(payload.narrowed(type), op);
                  String what = type + " " + op + " " + count;
                  float[] actual = rank % 2 == 0 ? x : floats(y);
                  assertArrayEquals(widen(expected, type), actual, what);
                }
              }
            }
          });
    }
  }

  @Test
  void otherCollectives_roundAtTheSenderToo() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            float[] x = {1 / 3f, 70_000, rank};
            group.broadcast(Payload.of(x).narrowed(DataType.FLOAT16), 1);
            assertArrayEquals(new float[] {0.33325195f, Float.POSITIVE_INFINITY, 1}, x);
            float[] all = new float[3];
            group.allgather(
                Payload.of(new float[] {rank + 1 / 3f}).narrowed(DataType.BFLOAT16),
                Payload.of(all).narrowed(DataType.BFLOAT16));
            assertArrayEquals(new float[] {0.33398438f, 1.3359375f, 2.328125f}, all);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void zeros_contributeNothingAndOccupyNothing(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            for (int count : COUNTS) {
              float[] x = values(count, 0);
              float[] before = x.clone();
              Payload zeros = Payload.zeros(DataType.FLOAT32, count);
              group.allreduce(rank == 0 ? Payload.of(x) : zeros, ReduceOp.SUM);
              group.allreduce(rank == 0 ? Payload.of(x) : zeros, ReduceOp.SUM);
              assertArrayEquals(before, x);
            }
          });
    }
  }

  @Test
  void onlyFloat32IsNarrowed_andOverlapIsFound() {
    float[] x = new float[10];
    Payload all = Payload.of(x);
    assertThrows(IllegalArgumentException.class, () -> all.narrowed(DataType.FLOAT32));
    assertThrows(IllegalArgumentException.class, () -> all.narrowed(null));
    assertThrows(
        IllegalArgumentException.class, () -> Payload.of(new int[1]).narrowed(DataType.FLOAT16));
    assertThrows(IllegalArgumentException.class, () -> Payload.zeros(DataType.INT8, -1));
    Payload narrow = Payload.of(x, 3, 4).narrowed(DataType.FLOAT16);
    assertEquals("4 float16", narrow.toString());
    assertEquals(8, narrow.bytes());
    assertTrue(narrow.staged());
    assertTrue(narrow.overlaps(Payload.of(x, 6, 2).narrowed(DataType.FLOAT16)));
    assertTrue(Payload.of(x, 6, 2).overlaps(narrow));
    assertFalse(narrow.overlaps(Payload.of(x, 7, 2)));
    assertFalse(Payload.of(x, 1, 2).overlaps(narrow));
    assertThrows(
        IllegalArgumentException.class,
        () -> Payload.ofAll(List.of(narrow, Payload.of(x, 5, 1).narrowed(DataType.FLOAT16))));
  }
}
