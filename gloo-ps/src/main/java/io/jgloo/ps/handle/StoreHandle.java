package io.jgloo.ps.handle;

import io.jgloo.ps.handle.RequestMeta.Change;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
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
}
