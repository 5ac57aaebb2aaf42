package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueEncoding;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values in fewer bytes. */
@Timeout(240)
final class EncodingTest {

  private static final int APP = 6;

  private static <A> Cluster start(int servers, ValueType<A> type) throws Exception {
    return Cluster.start(
        servers,
        1,
        node -> {
          if (node.role() == Role.SERVER) {
            ServerOptions options = ServerOptions.DEFAULTS.withShards(2);
            KvServer.open(node, APP, type, options, shard -> Handles.sum(type, 1));
          }
        });
  }

  private static <A> KvWorker<A> worker(
      Cluster cluster, ValueType<A> type, ValueEncoding encoding) {
    return KvWorker.open(cluster.worker(0), APP, 0, type, Slicer.RANGE, encoding, encoding);
  }

  private static short half(float value) {
    try (Block memory = Block.allocate(2)) {
      ValueType.HALVES.putNumber(memory.address(), value);
      return Memory.getShort(memory.address());
    }
  }

  private static float ofHalf(int bits) {
    try (Block memory = Block.allocate(2)) {
      Memory.putShort(memory.address(), (short) bits);
      return (float) ValueType.HALVES.number(memory.address());
    }
  }

  @Test
  void halves_areTheNearestOnes() {
    SplittableRandom random = new SplittableRandom(5);
    for (int bits = 0; bits < 0x10000; bits++) {
      float value = ofHalf(bits);
      short again = half(value);
      assertTrue(Float.isNaN(value) ? (again & 0x7c00) == 0x7c00 : again == (short) bits);
      if (bits < 0x7bff) { // between two neighbours
        float next = ofHalf(bits + 1);
        float middle = (value + next) / 2;
        int even = bits + (bits & 1);
        assertEquals((short) even, half(middle), "middle after " + bits);
        assertEquals((short) bits, half(Math.nextDown(middle)));
        assertEquals((short) (bits + 1), half(Math.nextUp(middle)));
      }
    }
    assertEquals((short) 0x7c00, half(65520));
    assertEquals((short) 0x7bff, half(Math.nextDown(65520f)));
    for (int i = 0; i < 100_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      float brain = Float.intBitsToFloat(ValueCodec.brain(value) << 16);
      if (Float.isNaN(value)) {
        assertTrue(Float.isNaN(brain));
      } else if (Math.abs(value) < 1e38f && Math.abs(value) > 1e-37f) {
        assertTrue(Math.abs(brain - value) <= Math.abs(value) / 256, value + " is " + brain);
      }
    }
  }

  @Test
  void scaledIntegers_keepTheirBound() {
    long before = Memory.allocatedBytes();
    SplittableRandom random = new SplittableRandom(6);
    for (int count : new int[] {1, 255, 256, 257, 1000}) {
      double[] values = random.doubles(count, -3, 3).toArray();
      try (Block exact = Block.allocate(8L * count)) {
        Memory.copy(values, 0, exact.address(), count);
        int code = ValueEncoding.INT8.ordinal();
        try (Block encoded = ValueCodec.encode(code, ValueType.DOUBLES, exact.address(), count);
            Block decoded = ValueCodec.decode(code, ValueType.DOUBLES, encoded.address(), count)) {
          assertEquals(count + 4 * ((count + 255) / 256), encoded.length());
          for (int i = 0; i < count; i++) {
            double error = Memory.getDouble(decoded.address() + 8L * i) - values[i];
            assertTrue(Math.abs(error) <= 3.001 / 254, "error " + error);
          }
        }
        Memory.putDouble(exact.address(), Double.NEGATIVE_INFINITY);
        try (Block encoded = ValueCodec.encode(code, ValueType.DOUBLES, exact.address(), count);
            Block decoded = ValueCodec.decode(code, ValueType.DOUBLES, encoded.address(), count)) {
          assertTrue(Double.isNaN(Memory.getDouble(decoded.address())));
        }
      }
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void encodedValues_arriveAsTheyAreRounded() throws Exception {
    long before = Memory.allocatedBytes();
    for (ValueEncoding encoding : ValueEncoding.values()) {
      for (int count : new int[] {1, 40, 50_000}) { // in the message, and as blocks
        try (Cluster cluster = start(2, ValueType.FLOATS)) {
          KvWorker<float[]> worker = worker(cluster, ValueType.FLOATS, encoding);
          long[] keys = AcceptanceTest.keys(count, 0);
          float[] values = new float[count];
          Arrays.fill(values, 127); // exact in all of them
          float[] out = new float[count];
          worker.push(keys, values);
          worker.waitFor(worker.pushPull(keys, values, out));
          Arrays.fill(values, 254);
          assertArrayEquals(values, out, 1);
          KvCall.Result<float[]> result = worker.pullAsync(keys, KvCall.DEFAULTS).get();
          assertArrayEquals(values, result.values(), 1);
        }
      }
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void valuesThatAreNoFloats_areExactOnly() throws Exception {
    try (Cluster cluster = start(1, ValueType.INTS)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> worker(cluster, ValueType.INTS, ValueEncoding.FLOAT16));
    }
  }

  @Test
  void callsThatAreGivenUp_doNotHoldLaterOnes() throws Exception {
    try (Cluster cluster = start(1, ValueType.LONGS)) {
      KvWorker<long[]> worker = worker(cluster, ValueType.LONGS, ValueEncoding.EXACT);
      long[] keys = AcceptanceTest.keys(100, 0);
      long[] ones = LongStream.generate(() -> 1).limit(100).toArray();
      for (int i = 0; i < 50; i++) { // until the code is loaded
        worker.waitFor(worker.push(keys, new long[100]));
      }
      int succeeded = 0;
      int failed = 0;
      List<CompletableFuture<Void>> calls = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        Duration brief = Duration.ofNanos(1_000_000L * (1 + i % 200)); // up to 200 ms
        calls.add(worker.pushAsync(keys, ones, KvCall.DEFAULTS.withTimeout(brief)));
      }
      for (CompletableFuture<Void> call : calls) {
        try {
          call.get(40, TimeUnit.SECONDS);
          succeeded++;
        } catch (ExecutionException e) {
          assertInstanceOf(OutcomeUnknownException.class, e.getCause());
          failed++;
        }
      }
      long[] out = new long[100];
      worker.waitFor(worker.pull(keys, out));
      System.out.printf("ps: %d calls, %d given up, %d applied%n", 400, failed, out[0]);
      assertTrue(out[0] >= succeeded && out[0] <= 400, out[0] + " of " + succeeded);
      for (long each : out) {
        assertEquals(out[0], each);
      }
    }
  }
}
