package io.jgloo.ps.handle;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.memory.Memory;

/** How pushed values change the stored ones. */
@FunctionalInterface
interface Rule {

  /**
   * Changes stored values.
   *
   * @param stored address of the stored values, and of the rule's own numbers behind them
   * @param pushed address of the pushed values
   */
  void apply(long stored, long pushed, int count);

  /** Adds the pushed values. */
  static Rule sum(ValueType<?> type) {
    return switch (type.code()) {
      case 0 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 4L * count; at += 4) {
              Memory.putFloat(
                  stored + at, Memory.getFloat(stored + at) + Memory.getFloat(pushed + at));
            }
          };
      case 1 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 8L * count; at += 8) {
              Memory.putDouble(
                  stored + at, Memory.getDouble(stored + at) + Memory.getDouble(pushed + at));
            }
          };
      case 2 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 4L * count; at += 4) {
              Memory.putInt(stored + at, Memory.getInt(stored + at) + Memory.getInt(pushed + at));
            }
          };
      case 3 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 8L * count; at += 8) {
              Memory.putLong(
                  stored + at, Memory.getLong(stored + at) + Memory.getLong(pushed + at));
            }
          };
      default ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 1L * count; at += 1) {
              Memory.putByte(
                  stored + at, (byte) (Memory.getByte(stored + at) + Memory.getByte(pushed + at)));
            }
          };
    };
  }

  /** Keeps the greater values; NaN is greater than all. */
  static Rule max(ValueType<?> type) {
    return switch (type.code()) {
      case 0 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 4L * count; at += 4) {
              Memory.putFloat(
                  stored + at,
                  Math.max(Memory.getFloat(stored + at), Memory.getFloat(pushed + at)));
            }
          };
      case 1 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 8L * count; at += 8) {
              Memory.putDouble(
                  stored + at,
                  Math.max(Memory.getDouble(stored + at), Memory.getDouble(pushed + at)));
            }
          };
      case 2 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 4L * count; at += 4) {
              Memory.putInt(
                  stored + at, Math.max(Memory.getInt(stored + at), Memory.getInt(pushed + at)));
            }
          };
      case 3 ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 8L * count; at += 8) {
              Memory.putLong(
                  stored + at, Math.max(Memory.getLong(stored + at), Memory.getLong(pushed + at)));
            }
          };
      default ->
          (stored, pushed, count) -> {
            for (long at = 0; at < 1L * count; at += 1) {
              Memory.putByte(
                  stored + at,
                  (byte) Math.max(Memory.getByte(stored + at), Memory.getByte(pushed + at)));
            }
          };
    };
  }

  /** Replaces the values. */
  static Rule assign(ValueType<?> type) {
    return (stored, pushed, count) -> Memory.copy(pushed, stored, (long) type.bytes() * count);
  }

  /** Subtracts the pushed gradients times a rate. */
  static Rule sgd(ValueType<?> type, double rate) {
    if (type == ValueType.FLOATS) {
      return (stored, pushed, count) -> {
        for (long at = 0; at < 4L * count; at += 4) {
          double step = rate * Memory.getFloat(pushed + at);
          Memory.putFloat(stored + at, (float) (Memory.getFloat(stored + at) - step));
        }
      };
    }
    return (stored, pushed, count) -> {
      for (long at = 0; at < 8L * count; at += 8) {
        double step = rate * Memory.getDouble(pushed + at);
        Memory.putDouble(stored + at, Memory.getDouble(stored + at) - step);
      }
    };
  }

  /** Subtracts gradients times a rate, divided by the root of the sum of their squares. */
  static Rule adagrad(ValueType<?> type, double rate, double epsilon) {
    if (type == ValueType.FLOATS) {
      return (stored, pushed, count) -> {
        for (long at = 0; at < 4L * count; at += 4) {
          double gradient = Memory.getFloat(pushed + at);
          long sums = stored + 4L * count + at;
          float sum = (float) (Memory.getFloat(sums) + gradient * gradient);
          Memory.putFloat(sums, sum);
          double step = rate * gradient / (Math.sqrt(sum) + epsilon);
          Memory.putFloat(stored + at, (float) (Memory.getFloat(stored + at) - step));
        }
      };
    }
    return (stored, pushed, count) -> {
      for (long at = 0; at < 8L * count; at += 8) {
        double gradient = Memory.getDouble(pushed + at);
        long sums = stored + 8L * count + at;
        double sum = Memory.getDouble(sums) + gradient * gradient;
        Memory.putDouble(sums, sum);
        double step = rate * gradient / (Math.sqrt(sum) + epsilon);
        Memory.putDouble(stored + at, Memory.getDouble(stored + at) - step);
      }
    };
  }
}
