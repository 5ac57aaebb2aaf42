package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.collectives.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each collective as a user would write it, on arrays and buffers; {@link RandomCallsTest} does the
 * rest.
 */
@Timeout(120)
class CollectivesTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void onArraysAndBuffers(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : new int[] {0, 1, 3, 1000}) {
        ranks.each(
            (group, rank) -> {
              gathers(group, count);
              scatters(group, count);
              reduces(group, count);
            });
      }
    }
  }

  private static void gathers(ProcessGroup group, int count) {
    int size = group.size();
    int[] all = IntStream.range(0, size * count).toArray();
    int[] own = Arrays.copyOfRange(all, group.rank() * count, (group.rank() + 1) * count);
    int[] output = new int[size * count];
    group.allgather(own, output);
    assertArrayEquals(all, output);
    IntBuffer direct = direct(size * count);
    group.allgather(Payload.of(IntBuffer.wrap(own)), Payload.of(direct));
    assertEquals(IntBuffer.wrap(all), direct);
    int root = size - 1;
    int[] atRoot = group.rank() == root ? new int[size * count] : null;
    group.gather(Payload.of(own), atRoot == null ? null : Payload.of(atRoot), root);
    if (atRoot != null) {
      assertArrayEquals(all, atRoot);
    }
    long[] counts = new long[size];
    Arrays.fill(counts, count);
    int[] uneven = new int[size * count];
    group.allgatherv(Payload.of(own), Payload.of(uneven), counts);
    assertArrayEquals(all, uneven);
  }

  private static void scatters(ProcessGroup group, int count) {
    int size = group.size();
    int root = size / 2;
    int[] all = IntStream.range(0, size * count).toArray();
    int[] own = new int[count];
    group.scatter(group.rank() == root ? Payload.of(all) : null, Payload.of(own), root);
    int first = group.rank() * count;
    assertArrayEquals(Arrays.copyOfRange(all, first, first + count), own);
    long[] blocks = new long[size];
    long[] came = new long[size];
    for (int to = 0; to < size; to++) {
      blocks[to] = 100L * group.rank() + to;
    }
    group.alltoall(blocks, came);
    for (int from = 0; from < size; from++) {
      assertEquals(100 * from + group.rank(), came[from]);
    }
    int[] copy = new int[size * count];
    group.broadcast(group.rank() == root ? Payload.of(all) : null, Payload.of(copy), root);
    assertArrayEquals(all, copy);
  }

  private static void reduces(ProcessGroup group, int count) {
    int size = group.size();
    double[] x = new double[count];
    Arrays.fill(x, group.rank() + 1);
    double total = size * (size + 1) / 2.0;
    group.reduce(x, ReduceOp.SUM, 0);
    double[] expected = new double[count];
    Arrays.fill(expected, group.rank() == 0 ? total : group.rank() + 1);
    assertArrayEquals(expected, x);
    double[] vector = new double[size * count];
    Arrays.fill(vector, group.rank() + 1);
    double[] block = new double[count];
    group.reduceScatter(vector, block, ReduceOp.SUM);
    Arrays.fill(expected, total);
    assertArrayEquals(expected, block);
    long[] ones = new long[count];
    Arrays.fill(ones, 1);
    group.scan(Payload.of(ones), ReduceOp.SUM);
    long[] before = new long[count];
    Arrays.fill(before, 1);
    group.exscan(Payload.of(before), ReduceOp.SUM);
    for (int i = 0; i < count; i++) {
      assertEquals(group.rank() + 1, ones[i]);
      assertEquals(group.rank() == 0 ? 1 : group.rank(), before[i]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void severalVectorsOfARank(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : new int[] {0, 1, 1000, 50_000}) {
        ranks.each(
            (group, rank) -> {
              int[] a = filled(count, rank);
              IntBuffer b = direct(count);
              int[] c = new int[count];
              b.put(filled(count, 10)).clear();
              List<Payload> inputs = List.of(Payload.of(a), Payload.of(b), Payload.of(a));
              int sum = size * (size - 1) + 10 * size;
              List<Payload> outputs = List.of(Payload.of(b), Payload.of(c));
              group.async().allreduce(inputs, outputs, ReduceOp.SUM).await();
              assertArrayEquals(filled(count, rank), a);
              assertEquals(IntBuffer.wrap(filled(count, sum)), b);
              assertArrayEquals(filled(count, sum), c);
              group.allreduce(List.of(Payload.of(a), Payload.of(c)), ReduceOp.MAX);
              assertArrayEquals(filled(count, sum), a);
              assertArrayEquals(filled(count, sum), c);
              group.allreduce(c, ReduceOp.MIN); // the same shape, and nothing passes through
              assertArrayEquals(filled(count, sum), c);
            });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void manyVectorsInOneCall(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            int[] a = filled(17, 1);
            int[] none = {};
            int[] b = filled(40_000, 2);
            IntBuffer c = direct(3);
            c.put(filled(3, rank)).clear();
            List<Payload> all =
                List.of(
                    Payload.of(none),
                    Payload.of(a, 1, 16),
                    Payload.of(none),
                    Payload.of(b),
                    Payload.of(c));
            group.allreduceCoalesced(all, ReduceOp.SUM);
            group.async().allreduceCoalesced(all, ReduceOp.MAX).await();
            assertEquals(1, a[0]);
            assertArrayEquals(filled(16, size), Arrays.copyOfRange(a, 1, 17));
            assertArrayEquals(filled(40_000, 2 * size), b);
            assertEquals(IntBuffer.wrap(filled(3, size * (size - 1) / 2)), c);
          });
    }
  }

  private static int[] filled(int count, int value) {
    int[] x = new int[count];
    Arrays.fill(x, value);
    return x;
  }

  private static IntBuffer direct(int count) {
    return ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder()).asIntBuffer();
  }
}
