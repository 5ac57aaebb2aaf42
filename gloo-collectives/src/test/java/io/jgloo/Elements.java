package io.jgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.util.List;
import java.util.Random;

/**
 * The naive reference: what the elements of one type are, and what one operation makes of them, one
 * by one in the order of ranks.
 *
 * <p>Floats are small numbers whose reductions are exact, so that the order of reduction does not
 * show; integers are any, for they wrap.
 */
record Elements(DataType type, ReduceOp op) {

  /** Composition of x -> ax + b, modulo 2^64: associative to the bit, and does not commute. */
  static final ReduceOp COMPOSE =
      ReduceOp.ofTuples(
          "compose",
          2,
          (first, second, type) -> {
            for (int at = 0; at < first.limit(); at += 16) {
              long a = first.getLong(at);
              first.putLong(at, a * second.getLong(at));
              first.putLong(at + 8, a * second.getLong(at + 8) + first.getLong(at + 8));
            }
          },
          false);

  /** Any type, with any operation that goes with it and with the collective. */
  static Elements random(Random random, Collective collective) {
    DataType[] types = DataType.values();
    DataType type = types[random.nextInt(types.length)];
    List<ReduceOp> ops = new java.util.ArrayList<>(ReduceOp.builtIn());
    ops.add(ReduceOp.premulSum(random.nextBoolean() ? 0.5 : 2));
    ops.removeIf(op -> !op.appliesTo(type));
    if (type == DataType.INT64) {
      ops.add(COMPOSE);
    }
    if (collective == Collective.SCAN || collective == Collective.EXSCAN) {
      ops.remove(ReduceOp.AVG);
    }
    return new Elements(type, ops.get(random.nextInt(ops.size())));
  }

  private boolean isFloat() {
    return switch (type) {
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> true;
      default -> false;
    };
  }

  /** The bits of a contribution, out of random ones; any true of bool, and any NaN of an order. */
  long contribution(long random, int size) {
    int small = (int) Long.remainderUnsigned(random, 7);
    if (!isFloat()) {
      return cut((random & 1) == 0 && (isLogical() || type == DataType.BOOL) ? 0 : random);
    }
    if (isOrder() && (random >>> 60) == 0) {
      return cut(random) | bits(Double.NaN);
    }
    return bits(
        switch (op.name()) {
          case "product" -> small < 2 ? 2 : small < 4 ? -1 : 1;
          case "avg" -> (small - 3) * size;
          default -> small - 3;
        });
  }

  /** The reduction of some ranks' vectors, in their order; all of the group's, if it averages. */
  long[] reduce(List<long[]> vectors) {
    long[] result = vectors.get(0).clone();
    int width = op.width();
    for (int i = 0; i < result.length; i += width) {
      if (op.factor().isPresent()) {
        result[i] = bits(number(result[i]) * op.factor().getAsDouble());
      }
      for (int rank = 1; rank < vectors.size(); rank++) {
        long[] next = vectors.get(rank);
        if (width == 2) {
          result[i + 1] = result[i] * next[i + 1] + result[i + 1];
          result[i] = result[i] * next[i];
        } else {
          result[i] = isFloat() ? combineFloats(result[i], next[i]) : combine(result[i], next[i]);
        }
      }
      if (op.averages()) {
        result[i] = average(result[i], vectors.size());
      }
      if (isLogical()) {
        result[i] = result[i] == 0 ? 0 : 1;
      } else if (isOrder() && isFloat()) {
        result[i] = bits(number(result[i])); // a NaN loses its payload
      }
    }
    return result;
  }

  private boolean isLogical() {
    return type == DataType.BOOL || op.name().startsWith("l");
  }

  private boolean isOrder() {
    return op.equals(ReduceOp.MIN) || op.equals(ReduceOp.MAX);
  }

  private long combineFloats(long one, long other) {
    double a = number(one);
    double b = number(other);
    return bits(
        switch (op.name()) {
          case "sum", "avg" -> a + b;
          case "product" -> a * b;
          case "min" -> Math.min(a, b);
          case "max" -> Math.max(a, b);
          default -> a + b * op.factor().orElseThrow();
        });
  }

  private long combine(long a, long b) {
    boolean less = isUnsigned() ? Long.compareUnsigned(a, b) < 0 : widened(a) < widened(b);
    return cut(
        switch (op.name()) {
          case "sum", "avg" -> a + b;
          case "product" -> a * b;
          case "min" -> less ? a : b;
          case "max" -> less ? b : a;
          case "band" -> type == DataType.BOOL ? truth(a) & truth(b) : a & b;
          case "bor" -> a | b;
          case "bxor" -> type == DataType.BOOL ? truth(a) ^ truth(b) : a ^ b;
          case "land" -> truth(a) & truth(b);
          case "lor" -> truth(a) | truth(b);
          default -> throw new IllegalStateException(op.name());
        });
  }

  private static long truth(long bits) {
    return bits == 0 ? 0 : 1;
  }

  private long average(long sum, int size) {
    if (isFloat()) {
      return bits(number(sum) / size);
    }
    if (size == 1) {
      return sum;
    }
    return cut(isUnsigned() ? Long.divideUnsigned(sum, size) : widened(sum) / size);
  }

  private boolean isUnsigned() {
    return type.name().startsWith("U");
  }

  private long widened(long bits) {
    int shift = 64 - 8 * type.bytes();
    return bits << shift >> shift;
  }

  private long cut(long bits) {
    int shift = 64 - 8 * type.bytes();
    return bits << shift >>> shift;
  }

  /** The bits of a number that the type has exactly, and not a subnormal one. */
  private long bits(double number) {
    int single = Float.floatToIntBits((float) number);
    int sign = single >>> 31;
    return switch (type) {
      case FLOAT64 -> Double.doubleToLongBits(number);
      case FLOAT32 -> Integer.toUnsignedLong(single);
      case BFLOAT16 -> single >>> 16;
      default ->
          number == 0 || Double.isNaN(number)
              ? sign << 15 | (number == 0 ? 0 : 0x7e00)
              : sign << 15 | (Math.getExponent(number) + 15) << 10 | (single >> 13 & 0x3ff);
    };
  }

  private double number(long bits) {
    return switch (type) {
      case FLOAT64 -> Double.longBitsToDouble(bits);
      case FLOAT32 -> Float.intBitsToFloat((int) bits);
      case BFLOAT16 -> Float.intBitsToFloat((int) bits << 16);
      default -> half((int) bits);
    };
  }

  private static double half(int bits) {
    double magnitude =
        (bits & 0x7fff) == 0
            ? 0
            : (bits & 0x7fff) > 0x7c00
                ? Double.NaN
                : Math.scalb(1 + (bits & 0x3ff) / 1024.0, (bits >> 10 & 0x1f) - 15);
    return bits < 0x8000 ? magnitude : -magnitude;
  }
}
