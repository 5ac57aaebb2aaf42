package io.jgloo;

import static java.nio.ByteOrder.nativeOrder;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every method on arrays and buffers does what the one on payloads does. */
@Timeout(60)
class TypedFormsTest {

  private static final int SKIPPED = 2;
  private static final long TAG = 7;
  private static final long[] COUNTS = {1, 3};

  /** A kind of memory; elements that do not belong to a vector are 100. */
  private enum Kind {
    FLOATS(float[].class),
    DOUBLES(double[].class),
    INTS(int[].class),
    LONGS(long[].class),
    BYTES(byte[].class),
    FLOAT_RANGE(float[].class),
    DOUBLE_RANGE(double[].class),
    INT_RANGE(int[].class),
    LONG_RANGE(long[].class),
    BYTE_RANGE(byte[].class),
    FLOAT_BUFFER(FloatBuffer.class),
    DOUBLE_BUFFER(DoubleBuffer.class),
    INT_BUFFER(IntBuffer.class),
    LONG_BUFFER(LongBuffer.class),
    BYTE_BUFFER(ByteBuffer.class);

    final Class<?> type;

    Kind(Class<?> type) {
      this.type = type;
    }

    boolean isRange() {
      return name().endsWith("_RANGE");
    }

    /** Types of the parameters after the first. */
    List<Class<?>> more() {
      if (this == BYTE_BUFFER) {
        return List.of(DataType.class);
      }
      return isRange() ? List.of(int.class, int.class) : List.of();
    }

    Object make(int... values) {
      if (type.isArray()) {
        int before = isRange() ? SKIPPED : 0;
        Object array = Array.newInstance(type.getComponentType(), values.length + 2 * before);
        for (int i = 0; i < Array.getLength(array); i++) {
          int at = i - before;
          put(array, i, at >= 0 && at < values.length ? values[at] : 100);
        }
        return array;
      }
      int bytes = type == ByteBuffer.class ? 2 : type.getSimpleName().matches("[FI].*") ? 4 : 8;
      ByteBuffer memory =
          ByteBuffer.allocateDirect(bytes * (values.length + 2 * SKIPPED)).order(nativeOrder());
      Buffer buffer =
          type == FloatBuffer.class
              ? memory.asFloatBuffer()
              : type == DoubleBuffer.class
                  ? memory.asDoubleBuffer()
                  : type == IntBuffer.class
                      ? memory.asIntBuffer()
                      : type == LongBuffer.class ? memory.asLongBuffer() : memory;
      int unit = type == ByteBuffer.class ? 2 : 1;
      for (int i = 0; i < values.length; i++) {
        put(buffer, SKIPPED + i, values[i]);
      }
      return buffer.position(SKIPPED * unit).limit((SKIPPED + values.length) * unit);
    }

    private static void put(Object to, int at, int value) {
      if (to instanceof float[] floats) {
        floats[at] = value;
      } else if (to instanceof double[] doubles) {
        doubles[at] = value;
      } else if (to instanceof int[] ints) {
        ints[at] = value;
      } else if (to instanceof long[] longs) {
        longs[at] = value;
      } else if (to instanceof byte[] bytes) {
        bytes[at] = (byte) value;
      } else if (to instanceof FloatBuffer floats) {
        floats.put(at, value);
      } else if (to instanceof DoubleBuffer doubles) {
        doubles.put(at, value);
      } else if (to instanceof IntBuffer ints) {
        ints.put(at, value);
      } else if (to instanceof LongBuffer longs) {
        longs.put(at, value);
      } else {
        ((ByteBuffer) to).putShort(2 * at, (short) value);
      }
    }

    private static double get(Object from, int at) {
      if (from instanceof FloatBuffer floats) {
        return floats.get(at);
      } else if (from instanceof DoubleBuffer doubles) {
        return doubles.get(at);
      } else if (from instanceof IntBuffer ints) {
        return ints.get(at);
      } else if (from instanceof LongBuffer longs) {
        return longs.get(at);
      } else if (from instanceof ByteBuffer bytes) {
        return bytes.getShort(2 * at);
      }
      return ((Number) Array.get(from, at)).doubleValue();
    }

    double[] read(Object from, int length) {
      int first = type.isArray() && !isRange() ? 0 : SKIPPED;
      return java.util.stream.IntStream.range(first, first + length)
          .mapToDouble(i -> get(from, i))
          .toArray();
    }

    /** What stands for a vector in the parameters of a method. */
    List<Object> more(int length) {
      if (isRange()) {
        return List.of(SKIPPED, length);
      }
      return this == BYTE_BUFFER ? List.of(DataType.INT16) : List.of();
    }
  }

  @Test
  void eachMethodOnPayloadsHasAllForms() throws NoSuchMethodException {
    int found = 0;
    for (Method core : cores()) {
      for (Kind kind : kindsOf(core)) {
        ProcessGroup.class.getMethod(core.getName(), types(core, kind));
        found++;
      }
    }
    long typed =
        Stream.of(ProcessGroup.class.getMethods())
            .filter(each -> !List.of("newGroup").contains(each.getName()))
            .filter(each -> !Arrays.asList(each.getParameterTypes()).contains(Payload.class))
            .filter(each -> Stream.of(each.getParameterTypes()).anyMatch(TypedFormsTest::isMemory))
            .count();
    assertEquals(found, typed);
    assertTrue(found > 800, "only " + found);
  }

  @ParameterizedTest
  @EnumSource
  void formsGiveTheResultsOfPayloads(Kind kind) {
    CyclicBarrier turns = new CyclicBarrier(2);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            for (Method core : cores()) {
              if (kindsOf(core).contains(kind)) {
                Method form = ProcessGroup.class.getMethod(core.getName(), types(core, kind));
                turns.await(); // both are at the same method when one fails
                double[][] expected = call(group, core, core, kind);
                double[][] actual = call(group, core, form, kind);
                for (int i = 0; i < expected.length; i++) {
                  assertArrayEquals(expected[i], actual[i], form + ", vector " + i);
                }
              }
            }
          });
    }
  }

  private static List<Method> cores() {
    return Stream.of(ProcessGroup.class.getMethods())
        .filter(each -> Arrays.asList(each.getParameterTypes()).contains(Payload.class))
        .sorted(java.util.Comparator.comparing(Method::toString))
        .toList();
  }

  private static boolean isMemory(Class<?> type) {
    return Buffer.class.isAssignableFrom(type) || type.isArray();
  }

  private static long payloads(Method core) {
    return Stream.of(core.getParameterTypes()).filter(each -> each == Payload.class).count();
  }

  private static List<Kind> kindsOf(Method core) {
    return Stream.of(Kind.values()).filter(each -> payloads(core) == 1 || !each.isRange()).toList();
  }

  private static Class<?>[] types(Method core, Kind kind) {
    List<Class<?>> types = new ArrayList<>();
    long left = payloads(core);
    for (Class<?> each : core.getParameterTypes()) {
      types.add(each == Payload.class ? kind.type : each);
      if (each == Payload.class && --left == 0) {
        types.addAll(kind.more());
      }
    }
    return types.toArray(Class<?>[]::new);
  }

  /** Calls a form, with new vectors, and returns what is in them afterwards. */
  private static double[][] call(ProcessGroup group, Method core, Method form, Kind kind)
      throws Exception {
    String name = core.getName().replace("Async", "");
    int[] lengths = lengths(name, group.rank(), payloads(core) == 2);
    List<Object> vectors = new ArrayList<>();
    List<Object> arguments = new ArrayList<>();
    for (Class<?> type : core.getParameterTypes()) {
      if (type == Payload.class) {
        int length = lengths[vectors.size()];
        Object vector = kind.make(values(group.rank(), vectors.size(), length));
        boolean isCore = core.equals(form);
        arguments.add(isCore ? payload(vector, kind, length) : vector);
        vectors.add(vector);
        if (!isCore && vectors.size() == payloads(core)) {
          arguments.addAll(kind.more(length));
        }
      } else {
        arguments.add(other(type, name, 1 - group.rank()));
      }
    }
    if (name.matches("send|recv|recvAny")) {
      message(group, name, form, arguments);
    } else {
      finish(form.invoke(group, arguments.toArray()));
    }
    double[][] after = new double[vectors.size()][];
    for (int i = 0; i < after.length; i++) {
      after[i] = kind.read(vectors.get(i), lengths[i]);
    }
    return after;
  }

  /** Rank 0 makes the call, rank 1 the other end of it, on payloads. */
  private static void message(ProcessGroup group, String name, Method form, List<Object> arguments)
      throws Exception {
    if (group.rank() == 0) {
      Object result = form.invoke(group, arguments.toArray());
      finish(result);
      assertEquals(name.equals("recvAny") ? 1 : result, result);
    } else {
      Object vector = arguments.get(0);
      Payload own =
          vector instanceof Payload payload
              ? payload
              : payload(vector, kindOf(form), lengths(name, 1, false)[0]);
      if (name.equals("send")) {
        group.recv(own, 0, TAG);
      } else {
        group.send(own, 0, TAG);
      }
    }
  }

  private static Kind kindOf(Method form) {
    Class<?>[] types = form.getParameterTypes();
    return Stream.of(Kind.values())
        .filter(each -> each.type == types[0])
        .filter(each -> each.isRange() == (types[1] == int.class && types[2] == int.class))
        .findFirst()
        .orElseThrow();
  }

  private static void finish(Object result) {
    if (result instanceof Work work) {
      work.await();
    }
  }

  private static int[] lengths(String name, int rank, boolean two) {
    boolean uneven = name.endsWith("v") && !name.equals("recv") && !name.equals("sendRecv");
    int block = uneven ? (int) COUNTS[rank] : 2;
    return switch (name.replaceAll("v$", "")) {
      case "reduceScatter", "scatter" -> two ? new int[] {4, block} : ofRoot(name, rank, block);
      case "allgather" -> two ? new int[] {block, 4} : new int[] {4};
      case "gather" -> two ? new int[] {block, 4} : ofRoot(name, rank, block);
      default -> new int[] {4, 4};
    };
  }

  private static int[] ofRoot(String name, int rank, int block) {
    return new int[] {rank == 0 || name.startsWith("reduceScatter") ? 4 : block};
  }

  private static int[] values(int rank, int vector, int length) {
    int[] values = new int[length];
    Arrays.setAll(values, i -> 1 + rank + 2 * i + 10 * vector);
    return values;
  }

  private static Object other(Class<?> type, String name, int peer) {
    if (type == ReduceOp.class) {
      return ReduceOp.SUM;
    } else if (type == long[].class) {
      return name.equals("alltoallv") ? new long[] {2, 2} : COUNTS;
    } else if (type == long.class) {
      return TAG;
    } else if (type == BitSet.class) {
      return BitSet.valueOf(new long[] {1L << peer});
    }
    boolean message = name.startsWith("send") || name.startsWith("recv");
    return message ? peer : 0; // a peer or the root
  }

  private static Payload payload(Object vector, Kind kind, int length) {
    if (vector instanceof float[] x) {
      return kind.isRange() ? Payload.of(x, SKIPPED, length) : Payload.of(x);
    } else if (vector instanceof double[] x) {
      return kind.isRange() ? Payload.of(x, SKIPPED, length) : Payload.of(x);
    } else if (vector instanceof int[] x) {
      return kind.isRange() ? Payload.of(x, SKIPPED, length) : Payload.of(x);
    } else if (vector instanceof long[] x) {
      return kind.isRange() ? Payload.of(x, SKIPPED, length) : Payload.of(x);
    } else if (vector instanceof byte[] x) {
      return kind.isRange() ? Payload.of(x, SKIPPED, length) : Payload.of(x);
    } else if (vector instanceof FloatBuffer x) {
      return Payload.of(x);
    } else if (vector instanceof DoubleBuffer x) {
      return Payload.of(x);
    } else if (vector instanceof IntBuffer x) {
      return Payload.of(x);
    } else if (vector instanceof LongBuffer x) {
      return Payload.of(x);
    }
    return Payload.of((ByteBuffer) vector, DataType.INT16);
  }
}
