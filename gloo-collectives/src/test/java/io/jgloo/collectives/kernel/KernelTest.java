package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every path of every kernel, Java and native, gives the bits of the scalar reference.
 *
 * <p>The seeds follow from type and operation, so a failure repeats as it is.
 */
@Timeout(120)
class KernelTest {

  private static final int ROOM = 64 << 10;
  private static final int MARGIN = 64;
  private static final byte CANARY = (byte) 0xa5;
  private static final int[][] SKEWS = {{0, 0}, {1, 3}, {6, 5}, {4, 12}};

  static Stream<Arguments> combinations() {
    List<Arguments> all = new ArrayList<>();
    for (DataType type : DataType.values()) {
      for (ReduceOp op : ReduceOp.builtIn()) {
        if (op.appliesTo(type) && op.equals(op.combining())) {
          all.add(Arguments.of(type, op));
        }
      }
    }
    return all.stream();
  }

  /** All ways to compute this combination on this machine, by name. */
  private static Map<String, Loop> paths(DataType type, ReduceOp op) {
    Map<String, Loop> paths = new LinkedHashMap<>();
    Kernels.plain(type, op).ifPresent(loop -> paths.put("plain", loop));
    paths.put("staged", Kernels.staged(type, op));
    for (int level = 0; level <= NativeKernels.level(); level++) {
      String name = "native level " + level;
      NativeKernels.loop(level, type, op).ifPresent(loop -> paths.put(name, loop));
    }
    Reduction chosen = Kernels.of(type, op);
    paths.put("chosen by length", chosen::reduce);
    paths.put("chosen, past the caches", chosen::reducePastCaches);
    return paths;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("combinations")
  void everyPathGivesTheReferenceBits(DataType type, ReduceOp op) {
    verifyAgainstReference(type, op, paths(type, op));
  }

  /**
   * Verifies each of the named paths, with vectors of many lengths at aligned and odd addresses.
   */
  static void verifyAgainstReference(DataType type, ReduceOp op, Map<String, Loop> paths) {
    Random random = new Random(type.name().hashCode() * 31L + op.name().hashCode());
    int[] counts =
        IntStream.concat(IntStream.rangeClosed(0, 67), IntStream.of(1023, 4099)).toArray();
    long room = Memory.allocate(2L * ROOM, 64);
    try {
      for (int count : counts) {
        long[] a = Samples.of(type, count, random);
        long[] b = Samples.of(type, count, random);
        long[] expected = new long[count];
        for (int i = 0; i < count; i++) {
          expected[i] = ScalarReference.apply(type, op, a[i], b[i]);
        }
        for (int[] skew : SKEWS) {
          long target = room + MARGIN + skew[0];
          long source = room + ROOM + MARGIN + skew[1];
          paths.forEach(
              (path, loop) -> {
                write(type, target, a);
                write(type, source, b);
                loop.apply(target, source, (long) count * type.bytes());
                String where = path + ", " + count + " elements, skew " + skew[0];
                verify(type, op, expected, target, where);
                verifyUntouched(type, b, source, where);
              });
        }
      }
    } finally {
      Memory.free(room);
    }
  }

  /** All values of a 16-bit type against a few others; rounding has no corner left. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void every16BitFloatIsRoundedToNearestEven(DataType type) {
    for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX)) {
      verifyRounding(type, op, paths(type, op));
    }
  }

  /** Verifies each of the named paths, with all values of a 16-bit type as targets. */
  static void verifyRounding(DataType type, ReduceOp op, Map<String, Loop> paths) {
    Random random = new Random(16 * 31L + op.name().hashCode());
    int values = 1 << 16;
    long room = Memory.allocate(4L * values, 64);
    try {
      for (int round = 0; round < 2; round++) {
        long[] b = Samples.of(type, values, random);
        paths.forEach(
            (path, loop) -> {
              for (int i = 0; i < values; i++) {
                Memory.putShort(room + 2L * i, (short) i);
                Memory.putShort(room + 2L * (values + i), (short) b[i]);
              }
              loop.apply(room, room + 2L * values, 2L * values);
              for (int i = 0; i < values; i++) {
                long expected = ScalarReference.apply(type, op, i, b[i]);
                long actual = read(type, room + 2L * i);
                if (!agree(type, op, expected, actual)) {
                  fail(
                      "%s %s %s of %04x and %04x is %04x, must be %04x"
                          .formatted(path, type, op, i, b[i], actual, expected));
                }
              }
            });
      }
    } finally {
      Memory.free(room);
    }
  }

  @Test
  void refusesSenselessCombinations() {
    for (DataType type : DataType.values()) {
      for (ReduceOp op : ReduceOp.builtIn()) {
        if (!op.appliesTo(type)) {
          IllegalArgumentException refusal =
              assertThrows(IllegalArgumentException.class, () -> Kernels.of(type, op));
          assertTrue(refusal.getMessage().contains(op.name()), refusal.getMessage());
        }
      }
    }
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> Kernels.of(DataType.FLOAT32, ReduceOp.BAND));
    assertEquals("reduce op band has no meaning on float32", refusal.getMessage());
    assertThrows(IllegalArgumentException.class, () -> Kernels.of(DataType.BOOL, ReduceOp.SUM));
  }

  @ParameterizedTest
  @EnumSource
  void refusesPartsOfElements(DataType type) {
    ReduceOp op = type == DataType.BOOL ? ReduceOp.LOR : ReduceOp.SUM;
    Reduction kernel = Kernels.of(type, op);
    assertEquals(type.bytes(), kernel.granule());
    assertThrows(IllegalArgumentException.class, () -> kernel.reduce(0, 0, -type.bytes()));
    for (int bytes = 1; bytes < type.bytes(); bytes++) {
      int part = 4096 + bytes;
      assertThrows(IllegalArgumentException.class, () -> kernel.reduce(0, 0, part));
    }
  }

  @ParameterizedTest
  @EnumSource
  void doesNotAllocate(DataType type) {
    ReduceOp op = type == DataType.BOOL ? ReduceOp.LOR : ReduceOp.SUM;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Reduction kernel = Kernels.of(type, op);
    Loop staged = Kernels.staged(type, op);
    long room = Memory.allocate(2L * ROOM, 64);
    Memory.setZero(room, 2L * ROOM);
    try {
      long fewest = Long.MAX_VALUE;
      // Compilation decides when allocation ends, and a busy machine when it is compiled: the
      // quietest of many rounds is judged.
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (fewest > 0 && System.nanoTime() - end < 0) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 500; i++) {
          kernel.reduce(room, room + ROOM, 64);
          kernel.reduce(room, room + ROOM, 512);
          kernel.reduce(room, room + ROOM, 4096);
          staged.apply(room, room + ROOM, 64);
        }
        fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertEquals(0, fewest, "bytes allocated by 2,000 calls after warm-up");
    } finally {
      Memory.free(room);
    }
  }

  /** One kernel, several threads: no thread may see another's arrays. */
  @Test
  void oneKernelServesSeveralThreads() throws Exception {
    Loop staged = Kernels.staged(DataType.INT32, ReduceOp.SUM);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 1; thread <= 4; thread++) {
        int addend = thread;
        work.add(
            () -> {
              long room = Memory.allocate(8192, 64);
              try {
                for (int i = 0; i < 1024; i++) {
                  Memory.putInt(room + 4L * i, 0);
                  Memory.putInt(room + 4096 + 4L * i, addend);
                }
                for (int round = 0; round < 5000; round++) {
                  staged.apply(room, room + 4096, 4096);
                }
                for (int i = 0; i < 1024; i++) {
                  assertEquals(5000 * addend, Memory.getInt(room + 4L * i));
                }
              } finally {
                Memory.free(room);
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void verify(
      DataType type, ReduceOp op, long[] expected, long address, String where) {
    for (int i = 0; i < expected.length; i++) {
      long actual = read(type, address + (long) i * type.bytes());
      if (!agree(type, op, expected[i], actual)) {
        fail("%s: element %d is %x, must be %x".formatted(where, i, actual, expected[i]));
      }
    }
    verifyCanaries(address, (long) expected.length * type.bytes(), where);
  }

  private static void verifyUntouched(DataType type, long[] values, long address, String where) {
    for (int i = 0; i < values.length; i++) {
      long actual = read(type, address + (long) i * type.bytes());
      if (values[i] != actual) {
        fail("%s: source element %d is %x, was %x".formatted(where, i, actual, values[i]));
      }
    }
    verifyCanaries(address, (long) values.length * type.bytes(), where);
  }

  private static void verifyCanaries(long address, long bytes, String where) {
    for (int i = 1; i <= MARGIN - 16; i++) {
      if (Memory.getByte(address - i) != CANARY
          || Memory.getByte(address + bytes + i - 1) != CANARY) {
        fail(where + ": wrote outside, " + i + " bytes away");
      }
    }
  }

  /** Which NaN a sum or product gives is the one thing left open, but for bfloat16. */
  private static boolean agree(DataType type, ReduceOp op, long expected, long actual) {
    boolean sums = op.equals(ReduceOp.SUM) || op.equals(ReduceOp.PRODUCT);
    boolean anyNan = sums && type != DataType.BFLOAT16;
    return actual == expected
        || (anyNan && ScalarReference.isNan(type, expected) && ScalarReference.isNan(type, actual));
  }

  /** Writes the elements with canaries on either side. */
  private static void write(DataType type, long address, long[] values) {
    int size = type.bytes();
    for (int i = 1; i <= MARGIN - 16; i++) {
      Memory.putByte(address - i, CANARY);
      Memory.putByte(address + (long) values.length * size + i - 1, CANARY);
    }
    for (int i = 0; i < values.length; i++) {
      long at = address + (long) i * size;
      switch (size) {
        case 1 -> Memory.putByte(at, (byte) values[i]);
        case 2 -> Memory.putShort(at, (short) values[i]);
        case 4 -> Memory.putInt(at, (int) values[i]);
        default -> Memory.putLong(at, values[i]);
      }
    }
  }

  private static long read(DataType type, long address) {
    return switch (type.bytes()) {
      case 1 -> Byte.toUnsignedLong(Memory.getByte(address));
      case 2 -> Short.toUnsignedLong(Memory.getShort(address));
      case 4 -> Integer.toUnsignedLong(Memory.getInt(address));
      default -> Memory.getLong(address);
    };
  }
}
