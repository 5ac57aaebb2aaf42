package io.jgloo.ps.handle;

import io.jgloo.ps.handle.RequestMeta.Change;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Applies pushes to a store by a rule, and answers pulls from it.
 *
 * <p>A push is applied whole or, if a length or a key is wrong, not at all.
 */
final class StoreHandle<A> implements StatefulHandle<A> {

  private final String name;
  private final ValueType<A> type;
  private final ValueStore store;
  private final Update update;
  private final Initializer initializer;
  private final int each;
  private final int vectors;

  /**
   * @param name of the update
   * @param initializer of the values of new keys
   * @param each number of values of a key; 0 if keys differ
   * @param vectors that a key has in the store: its values, and the update's own numbers
   */
  StoreHandle(
      String name,
      ValueType<A> type,
      ValueStore store,
      Update update,
      Initializer initializer,
      int each,
      int vectors) {
    this.name = name;
    this.type = type;
    this.store = store;
    this.update = update;
    this.initializer = initializer;
    this.each = each;
    this.vectors = vectors;
  }

  @Override
  public ValueStore store() {
    return store;
  }

  @Override
  public String kind() {
    return name + "/" + each;
  }

  @Override
  public int vectors() {
    return vectors;
  }

  @Override
  public @Nullable String check(RequestMeta meta, KvPairs<A> pairs) {
    return meta.change() == Change.REMOVE ? null : wrong(pairs);
  }

  @Override
  public void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
    Change change = meta.change();
    if (change == Change.REMOVE) {
      for (int i = 0; i < pairs.size(); i++) {
        boolean unused = store.remove(pairs.key(i));
      }
    } else if (change == Change.PUSH || change == Change.SET) {
      String error = prepare(pairs);
      if (error != null) {
        responder.error(ServerErrorException.WRONG_LENGTH, error);
        return;
      }
      for (int i = 0; i < pairs.size(); i++) {
        long stored = store.find(pairs.key(i));
        int length = pairs.length(i);
        if (change == Change.PUSH) {
          update.apply(stored, pairs.valueAddress(i), length);
        } else {
          long bytes = (long) type.bytes() * length;
          Memory.copy(pairs.valueAddress(i), stored, bytes);
          Memory.setZero(stored + bytes, bytes * (vectors - 1));
        }
      }
    }
    if (meta.isPull()) {
      pull(pairs, responder);
    } else {
      responder.ok();
    }
  }

  /**
   * Applies values in place of those of the only pair; returns why that is not possible, or null.
   */
  @Nullable String push(KvPairs<A> pair, long values) {
    String error = prepare(pair);
    if (error == null) {
      update.apply(store.find(pair.key(0)), values, pair.length(0));
    }
    return error;
  }

  /** Adds keys that are new; returns what is wrong with a length or a key, or null. */
  private @Nullable String prepare(KvPairs<A> pairs) {
    String wrong = wrong(pairs);
    if (wrong != null) {
      return wrong;
    }
    try {
      for (int i = 0; i < pairs.size(); i++) { // so that nothing fails when they are applied
        long key = pairs.key(i);
        boolean isNew = initializer != Initializer.ZERO && store.find(key) == 0;
        long stored = store.findOrAdd(key, vectors * pairs.length(i) * type.bytes());
        if (isNew) {
          initialize(key, stored, pairs.length(i));
        }
      }
    } catch (IllegalArgumentException e) { // of a store of the user
      return e.getMessage();
    }
    return null;
  }

  private void initialize(long key, long address, int length) {
    for (int i = 0; i < length; i++) {
      type.putNumber(address + (long) i * type.bytes(), initializer.value(key, i));
    }
  }

  /** What is wrong with a length or a key, or null. */
  private @Nullable String wrong(KvPairs<A> pairs) {
    for (int i = 0; i < pairs.size(); i++) {
      int wanted = each;
      if (each == 0) {
        int bytes = store.bytes(pairs.key(i));
        wanted = bytes == 0 ? pairs.length(i) : bytes / type.bytes() / vectors;
      }
      if (pairs.length(i) != wanted) {
        return ("key " + Long.toUnsignedString(pairs.key(i)) + " has " + wanted + " values, but ")
            + (pairs.length(i) + " are pushed");
      }
    }
    return null;
  }

  void pull(KvPairs<A> pairs, Responder<A> responder) {
    int[] lens = each == 0 ? new int[pairs.size()] : null;
    long bytes = (long) each * type.bytes() * pairs.size();
    for (int i = 0; lens != null && i < lens.length; i++) {
      int length = store.bytes(pairs.key(i)) / vectors;
      lens[i] = length / type.bytes();
      bytes += length;
    }
    Block values = Block.allocate(bytes);
    long at = values.address();
    for (int i = 0; i < pairs.size(); i++) {
      int length = type.bytes() * (lens == null ? each : lens[i]);
      long stored = store.find(pairs.key(i));
      if (stored == 0) {
        Memory.setZero(at, length);
        if (initializer != Initializer.ZERO) {
          initialize(pairs.key(i), at, length / type.bytes());
        }
      } else {
        copy(stored, at, length);
      }
      at += length;
    }
    responder.ok(values, lens);
  }

  private static void copy(long source, long target, int bytes) {
    switch (bytes) {
      case 4 -> Memory.putInt(target, Memory.getInt(source));
      case 8 -> Memory.putLong(target, Memory.getLong(source));
      default -> Memory.copy(source, target, bytes);
    }
  }

  @Override
  public void close() {
    store.close();
  }

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
            Memory.putFloat(
                stored + at, Memory.getFloat(stored + at) + Memory.getFloat(pushed + at));
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
    static Update rule(ValueType<?> type, Optimizer.Rule rule) {
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
    final class Own implements Optimizer.State {
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
}
