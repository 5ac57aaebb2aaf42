package io.jgloo.ps.handle;

import io.jgloo.ps.handle.RequestMeta.Change;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.util.stream.LongStream;
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
  private final boolean hasRounds;

  /**
   * @param name of the update
   * @param initializer of the values of new keys
   * @param each number of values of a key; 0 if keys differ
   * @param vectors that a key has in the store: its values, and the update's own numbers
   * @param hasRounds whether the last round in which a key was pushed is behind its vectors
   */
  StoreHandle(
      String name,
      ValueType<A> type,
      ValueStore store,
      Update update,
      Initializer initializer,
      int each,
      int vectors,
      boolean hasRounds) {
    this.name = name;
    this.type = type;
    this.store = store;
    this.update = update;
    this.initializer = initializer;
    this.each = each;
    this.vectors = vectors;
    this.hasRounds = hasRounds;
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
  public int tailBytes() {
    return hasRounds ? Integer.BYTES : 0;
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
    } else if (change == Change.EVICT) {
      if (!hasRounds) {
        String text =
            "handle " + kind() + " does not know when keys were pushed: it is no optimizer";
        responder.error(Responder.HANDLE_FAILED, text);
        return;
      }
      evict(meta.round() - meta.command());
    } else if (change == Change.PUSH || change == Change.SET) {
      String error = prepare(pairs);
      if (error != null) {
        responder.error(Responder.WRONG_LENGTH, error);
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
        putRound(stored, length, meta.round());
      }
    }
    if (meta.isPull()) {
      pull(pairs, responder);
    } else {
      responder.ok();
    }
  }

  private long roundAddress(long stored, int length) {
    return stored + (long) vectors * length * type.bytes();
  }

  private void putRound(long stored, int length, long round) {
    if (hasRounds) {
      long address = roundAddress(stored, length);
      int latest = (int) Math.min(Integer.MAX_VALUE, round);
      Memory.putInt(address, Math.max(Memory.getInt(address), latest));
    }
  }

  /** Removes the keys that were pushed last before a round. */
  private void evict(long round) {
    LongStream.Builder old = LongStream.builder();
    store.forEach(
        (key, address, bytes) -> {
          if (Memory.getInt(roundAddress(address, each)) < round) {
            old.add(key);
          }
        });
    old.build()
        .forEach(
            key -> {
              boolean unused = store.remove(key);
            });
  }

  /**
   * Applies values in place of those of the only pair; returns why that is not possible, or null.
   */
  @Nullable String push(KvPairs<A> pair, long values, long round) {
    String error = prepare(pair);
    if (error == null) {
      long stored = store.find(pair.key(0));
      update.apply(stored, values, pair.length(0));
      putRound(stored, pair.length(0), round);
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
        long stored = store.findOrAdd(key, vectors * pairs.length(i) * type.bytes() + tailBytes());
        if (isNew) {
          initialize(key, stored, pairs.length(i));
        }
      }
    } catch (IllegalArgumentException e) {
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
    for (int i = 0; i < pairs.size(); i += Math.max(1, pairs.size() - 1)) {
      String text = store.refusal(pairs.key(i)); // keys ascend: the others are between these
      if (text != null) {
        return text;
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
