package io.jgloo.ps.handle;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.memory.Memory;
import java.util.function.LongBinaryOperator;

/** Changes the stored values of a key by pushed ones. */
@FunctionalInterface
interface Update {

  /**
   * @param stored address of the stored values, and of the rule's own numbers behind them
   * @param pushed address of the pushed values
   */
  void apply(long stored, long pushed, int count);

  /** Replaces the values. */
  static Update assign(ValueType<?> type) {
    return (stored, pushed, count) -> Memory.copy(pushed, stored, (long) type.bytes() * count);
  }

  /** Adds the values. */
  static Update sum(ValueType<?> type) {
    if (type == ValueType.FLOATS) { // the usual one, without numbers of its own
      return (stored, pushed, count) -> {
        for (long at = 0; at < 4L * count; at += 4) {
          Memory.putFloat(stored + at, Memory.getFloat(stored + at) + Memory.getFloat(pushed + at));
        }
      };
    }
    return type.isFloating()
        ? rule(type, (value, pushed, state) -> value + pushed)
        : integers(type, Long::sum);
  }

  /** Keeps the greater values; NaN is greater than all. */
  static Update max(ValueType<?> type) {
    return type.isFloating()
        ? rule(type, (value, pushed, state) -> Math.max(value, pushed))
        : integers(type, Math::max);
  }

  private static Update integers(ValueType<?> type, LongBinaryOperator operator) {
    int bytes = type.bytes();
    return (stored, pushed, count) -> {
      for (int i = 0; i < count; i++) {
        long at = stored + (long) i * bytes;
        long value = integer(bytes, at);
        long result = operator.applyAsLong(value, integer(bytes, pushed + (long) i * bytes));
        switch (bytes) {
          case 1 -> Memory.putByte(at, (byte) result);
          case 4 -> Memory.putInt(at, (int) result);
          default -> Memory.putLong(at, result);
        }
      }
    };
  }

  private static long integer(int bytes, long address) {
    return switch (bytes) {
      case 1 -> Memory.getByte(address);
      case 4 -> Memory.getInt(address);
      default -> Memory.getLong(address);
    };
  }

  /** Applies a rule to each value. */
  static Update rule(ValueType<?> type, Rule rule) {
    return (stored, pushed, count) -> {
      Own own = new Own(type, (long) type.bytes() * count);
      for (int i = 0; i < count; i++) {
        own.value = stored + (long) i * type.bytes();
        double change = type.number(pushed + (long) i * type.bytes());
        type.putNumber(own.value, rule.apply(type.number(own.value), change, own));
      }
    };
  }

  /** The numbers of a rule for one value: in vectors behind the values. */
  final class Own implements Rule.State {
    private final ValueType<?> type;
    private final long stride;
    private long value;

    private Own(ValueType<?> type, long stride) {
      this.type = type;
      this.stride = stride;
    }

    @Override
    public double get(int index) {
      return type.number(value + (index + 1) * stride);
    }

    @Override
    public void set(int index, double number) {
      type.putNumber(value + (index + 1) * stride, number);
    }
  }
}
