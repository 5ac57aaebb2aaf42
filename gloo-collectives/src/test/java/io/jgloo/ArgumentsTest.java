package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Invalid arguments are refused before a byte moves, and the group remains usable. */
@Timeout(60)
class ArgumentsTest {

  private static Ranks ranks;
  private static ProcessGroup group;

  @BeforeAll
  static void connect() {
    ranks = Ranks.of(2);
    group = ranks.group(0);
  }

  @AfterAll
  static void groupRemainsUsable() {
    ranks.each(
        (each, rank) -> {
          long[] x = {rank};
          each.allreduce(x, ReduceOp.SUM);
          assertEquals(1, x[0]);
        });
    ranks.close();
  }

  private static void refused(String words, Executable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call);
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }

  @Test
  void nothing() {
    refused("x must not be null", () -> group.allreduce((float[]) null, ReduceOp.SUM));
    refused("buffer must not be null", () -> Payload.of((IntBuffer) null));
    refused("input must not be null", () -> group.allgather(null, new int[2]));
    refused("output must not be null", () -> group.allgather(new int[1], null));
    refused("array must not be null", () -> Payload.of((float[]) null));
    refused("x must not be null", () -> group.allreduce((Payload) null, ReduceOp.SUM));
    refused("x must not be null", () -> group.broadcast((Payload) null, 0));
    refused("op must not be null", () -> group.allreduce(new int[1], null));
    refused(
        "type must not be null",
        () -> group.allreduce(Payload.of(ByteBuffer.allocateDirect(4), null), ReduceOp.SUM));
    refused(
        "output must not be null",
        () -> group.allreduce(Payload.of(new int[1]), null, ReduceOp.SUM));
    refused("options must not be null", () -> group.with(null));
  }

  @Test
  void ranges() {
    refused(
        "offset 3 and length 8",
        () -> group.allreduce(Payload.of(new float[10], 3, 8), ReduceOp.SUM));
    refused("offset -1 and length 2", () -> group.broadcast(Payload.of(new long[10], -1, 2), 0));
    refused(
        "offset 2147483647 and length 2147483647",
        () ->
            group.allreduce(
                Payload.of(new int[10], Integer.MAX_VALUE, Integer.MAX_VALUE), ReduceOp.SUM));
    refused(
        "offset 1 and length -5",
        () -> group.allreduce(Payload.of(new double[10], 1, -5), ReduceOp.SUM));
    refused("count must not be negative", () -> Payload.ofAddress(64, -1, DataType.INT8, null));
    refused("address must not be 0", () -> Payload.ofAddress(0, 1, DataType.INT8, null));
    refused(
        "whole number of float32",
        () -> group.allreduce(Payload.of(bytes(7), DataType.FLOAT32), ReduceOp.SUM));
  }

  @Test
  void buffers() {
    FloatBuffer readOnly = bytes(16).asFloatBuffer().asReadOnlyBuffer();
    refused("read-only", () -> group.allreduce(Payload.of(readOnly), ReduceOp.SUM));
    refused(
        "read-only",
        () -> group.broadcast(Payload.of(FloatBuffer.allocate(3).asReadOnlyBuffer()), 0));
    ByteBuffer foreign = ByteBuffer.allocateDirect(16).order(foreignOrder());
    refused(
        ".order(ByteOrder.nativeOrder())",
        () -> group.allreduce(Payload.of(foreign.asIntBuffer()), ReduceOp.SUM));
    refused(
        ".order(ByteOrder.nativeOrder())",
        () -> group.allreduce(Payload.of(foreign, DataType.INT32), ReduceOp.SUM));
    refused(
        ".order(ByteOrder.nativeOrder())",
        () ->
            group.allreduce(
                Payload.of(ByteBuffer.allocate(16).order(foreignOrder()).asDoubleBuffer()),
                ReduceOp.SUM));
  }

  @Test
  void overlaps() {
    float[] x = new float[100];
    refused("must not overlap", () -> group.allreduce(Payload.of(x), Payload.of(x), ReduceOp.SUM));
    refused(
        "must not overlap",
        () -> group.allreduce(Payload.of(x, 0, 50), Payload.of(x, 49, 50), ReduceOp.SUM));
    ByteBuffer y = bytes(400);
    refused(
        "must not overlap",
        () ->
            group.allreduce(
                Payload.of(y.duplicate().order(ByteOrder.nativeOrder()).limit(200).asFloatBuffer()),
                Payload.of(
                    y.duplicate()
                        .order(ByteOrder.nativeOrder())
                        .position(196)
                        .limit(396)
                        .slice()
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer()),
                ReduceOp.SUM));
    refused(
        "output must be as the input, 2 int32, but is 3 int32",
        () -> group.allreduce(Payload.of(new int[2]), Payload.of(new int[3]), ReduceOp.SUM));
  }

  /** Such views do not give their array. */
  @Test
  void overlapsOfViewsOfHeapBuffers() {
    ByteBuffer x = ByteBuffer.allocate(408).position(8).slice().order(ByteOrder.nativeOrder());
    Payload floats = Payload.of(x.asFloatBuffer().limit(50));
    Payload shifted =
        Payload.of(x.duplicate().order(ByteOrder.nativeOrder()).position(4).asFloatBuffer());
    Payload next = Payload.of(x.asFloatBuffer().position(50));
    refused(
        "must not overlap",
        () -> group.allreduce(Payload.of(x.asFloatBuffer().position(50)), next, ReduceOp.SUM));
    refused("must not overlap", () -> Payload.ofAll(List.of(floats, shifted)));
    refused("must not overlap", () -> Payload.ofAll(List.of(floats, floats)));
    refused(
        "must not overlap",
        () ->
            group.allreduceCoalesced(List.of(floats, Payload.of(x.asFloatBuffer())), ReduceOp.SUM));
    refused(
        "must not overlap",
        () -> Payload.ofAll(List.of(floats, Payload.of(x.array(), 8, 4, DataType.FLOAT32))));
    refused(
        "must not overlap",
        () ->
            Payload.ofAll(
                List.of(
                    Payload.of(x.asLongBuffer()), Payload.of(x.array(), 8, 8, DataType.INT64))));
    assertEquals(100, Payload.ofAll(List.of(floats, next)).count());
    assertEquals(
        52, Payload.ofAll(List.of(floats, Payload.of(x.array(), 0, 8, DataType.FLOAT32))).count());
  }

  @Test
  void countsAndShares() {
    refused("multiple of 2 elements for 2 ranks, but is 3 int32", () -> reduceScatter(3, 1));
    refused("output must hold 2 elements at this rank, but is 1 int32", () -> reduceScatter(4, 1));
    refused(
        "input must hold 2 elements at this rank, but is 3 int32",
        () -> group.allgather(new int[3], new int[4]));
    refused(
        "output must be as the input, 4 int32, but is 2 int32",
        () -> group.alltoall(new int[4], new int[2]));
    refused("counts must be one for each of 2 ranks, but are 3", () -> gatherv(1, 2, 3));
    refused("but rank 1's is -2", () -> gatherv(1, -2));
    refused("rank 1's is 9223372036854775807", () -> gatherv(1, Long.MAX_VALUE));
    refused("output must hold 5 elements, the sum of counts, but is 4 int32", () -> gatherv(2, 3));
    refused("counts must not be null", () -> gatherv((long[]) null));
    refused("input must not be null", () -> group.scatter(null, Payload.of(new int[1]), 0));
    refused("output must not be null", () -> group.gather(Payload.of(new int[1]), null, 0));
    refused(
        "must receive from itself what it sends, 1 elements, but receives 2",
        () ->
            group.alltoallv(
                Payload.of(new int[3]),
                new long[] {1, 2},
                Payload.of(new int[3]),
                new long[] {2, 1}));
  }

  private static void reduceScatter(int input, int output) {
    group.reduceScatter(new int[input], new int[output], ReduceOp.SUM);
  }

  private static void gatherv(long... counts) {
    group.allgatherv(Payload.of(new int[2]), Payload.of(new int[4]), counts);
  }

  @Test
  void severalVectors() {
    Payload x = Payload.of(new int[4]);
    refused("parts must not be empty", () -> Payload.ofAll(List.of()));
    refused("parts[1] is 1 int64", () -> Payload.ofAll(List.of(x, Payload.of(new long[1]))));
    refused("parts[0] and parts[1] do", () -> Payload.ofAll(List.of(x, x)));
    refused(
        "inputs[1] must be as inputs[0], 4 int32, but is 3 int32",
        () -> group.allreduce(List.of(x, Payload.of(new int[3])), ReduceOp.SUM));
    int[] shared = new int[5];
    Payload one = Payload.of(shared, 0, 4);
    Payload other = Payload.of(shared, 1, 4);
    refused(
        "outputs[0] must not overlap part of inputs[0]",
        () -> group.allreduce(List.of(one), List.of(other), ReduceOp.SUM));
    refused(
        "outputs[1] must not overlap outputs[0]",
        () -> group.allreduce(List.of(x), List.of(one, other), ReduceOp.SUM));
    refused(
        "say it with premulSum",
        () -> group.allreduce(List.of(x, Payload.of(new int[4])), ReduceOp.AVG));
    refused("no meaning in a scan", () -> group.scan(x, ReduceOp.AVG));
    refused("must not overlap", () -> group.sendRecv(one, 1, other, 1, 0));
    refused("must both be this rank, 0, or neither", () -> group.sendRecv(x, 0, one, 1, 0));
    refused("received must be as sent", () -> group.sendRecv(x, 0, Payload.of(shared), 0, 0));
  }

  @Test
  void ranksTagsOperationsAndOptions() {
    refused("root must be 0 to 1", () -> group.broadcast(new int[1], 2));
    refused("root must be 0 to 1", () -> group.broadcast(new int[1], -1));
    refused("peer must be another rank", () -> group.send(Payload.of(new int[1]), 0, 0));
    refused("peer must be 0 to 1", () -> group.recv(Payload.of(new int[1]), 7, 0));
    refused("tag must be", () -> group.recv(Payload.of(new int[1]), 1, -1));
    refused("peers must be", () -> group.recvAny(Payload.of(new int[1]), new BitSet(), 0));
    refused("no meaning on float32", () -> group.allreduce(new float[1], ReduceOp.BXOR));
    refused(
        "algorithm = magic",
        () ->
            group
                .with(CallOptions.DEFAULTS.algorithm("magic"))
                .allreduce(new float[1], ReduceOp.SUM));
    refused(
        "timeout must not be negative", () -> CallOptions.DEFAULTS.timeout(Duration.ofNanos(-1)));
  }

  @Test
  void positionsStayWhereTheyAre() {
    ranks.each(
        (each, rank) -> {
          FloatBuffer x = bytes(400).asFloatBuffer();
          x.position(10).limit(20);
          x.put(9, 7).put(10, 1).put(19, 2);
          each.allreduce(Payload.of(x), ReduceOp.SUM);
          assertEquals(10, x.position());
          assertEquals(20, x.limit());
          x.clear();
          assertEquals(7, x.get(9));
          assertEquals(2, x.get(10));
          assertEquals(4, x.get(19));
        });
  }

  private static ByteBuffer bytes(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  private static ByteOrder foreignOrder() {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
        ? ByteOrder.LITTLE_ENDIAN
        : ByteOrder.BIG_ENDIAN;
  }
}
