package io.jgloo.ps.handle;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.HashValueStore;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.ps.store.VariableValueStore;

/**
 * Handles that keep values in a store.
 *
 * <p>Each call makes a handle with a store of its own, for one shard. A key that was never pushed
 * has the value 0 or that of an initializer, or no values if keys may have different numbers of
 * them. Pushes that also pull are answered with the new values. A call of {@code set} replaces
 * values, one of {@code remove} removes keys, whatever the handle does with pushes.
 */
public final class Handles {

  private Handles() {}

  /**
   * A handle that adds pushed values.
   *
   * @param each number of values of each key; 0 if the first push of a key decides
   */
  public static <A> StatefulHandle<A> sum(ValueType<A> type, int each) {
    return make("sum", type, each, 1, Update.sum(type), Initializer.ZERO, false);
  }

  /** A handle that adds pushed values to those of a store, which belongs to it from now on. */
  public static <A> StatefulHandle<A> sum(ValueType<A> type, int each, ValueStore store) {
    return new StoreHandle<>(
        "sum", type, store, Update.sum(type), Initializer.ZERO, each, 1, false);
  }

  /** A handle that replaces values by the pushed ones. */
  public static <A> StatefulHandle<A> assign(ValueType<A> type, int each) {
    return make("assign", type, each, 1, Update.assign(type), Initializer.ZERO, false);
  }

  /** A handle that keeps the greatest value; a new key begins with 0. */
  public static <A> StatefulHandle<A> max(ValueType<A> type, int each) {
    return make("max", type, each, 1, Update.max(type), Initializer.ZERO, false);
  }

  /**
   * A handle that takes a step of an optimizer for each push. With the same number of values for
   * each key it also keeps the last round of a push, for {@link io.jgloo.ps.KvWorker#evict}.
   *
   * @param type of floating-point numbers
   * @param optimizer gets the pushed values as gradients
   */
  public static <A> StatefulHandle<A> optimizer(
      ValueType<A> type, int each, Optimizer optimizer, Initializer initializer) {
    if (!type.isFloating()) {
      throw new IllegalArgumentException("type must be float, double or half, is " + type);
    }
    Update update = Update.rule(type, optimizer.rule());
    return make(optimizer.name(), type, each, 1 + optimizer.kept(), update, initializer, each > 0);
  }

  /** As {@link #optimizer(ValueType, int, Optimizer, Initializer)}, beginning with 0. */
  public static <A> StatefulHandle<A> optimizer(ValueType<A> type, int each, Optimizer optimizer) {
    return optimizer(type, each, optimizer, Initializer.ZERO);
  }

  /**
   * Waits until each worker has pushed a key and then pushes the sum to a handle; only then the
   * pushes are answered. For workers that push the same keys.
   *
   * @param handle one of this class
   * @param workers number of workers
   */
  public static <A> StatefulHandle<A> synchronous(
      ValueType<A> type, StatefulHandle<A> handle, int workers) {
    return new AggregateHandle<>(type, workers, store(handle));
  }

  /**
   * Waits until some workers have ended their round by a tick, and then pushes the sum of what they
   * have pushed in it to a handle, key by key; only then the pushes are answered. Workers may push
   * different keys. What others push in that round later is answered and not used.
   *
   * @param handle one of this class
   * @param workers number of workers
   * @param needed number of those that a round waits for, or fewer if workers have left
   */
  public static <A> StatefulHandle<A> rounds(
      ValueType<A> type, StatefulHandle<A> handle, int workers, int needed) {
    if (needed < 1 || needed > workers) {
      throw new IllegalArgumentException("needed must be 1 to " + workers + ", is " + needed);
    }
    return new RoundHandle<>(type, workers, needed, store(handle));
  }

  private static <A> StoreHandle<A> store(StatefulHandle<A> handle) {
    if (handle instanceof StoreHandle<A> store) {
      return store;
    }
    throw new IllegalArgumentException("handle must be one that keeps values, is " + handle);
  }

  /**
   * Holds pulls back until no worker is more than a number of ticks behind the one that pulls.
   *
   * @param handle what executes the requests
   * @param bound ticks that a worker may be behind; 0 for steps together
   * @param workers number of workers
   */
  public static <A> StatefulHandle<A> boundedStaleness(
      StatefulHandle<A> handle, int bound, int workers) {
    if (bound < 0) {
      throw new IllegalArgumentException("bound must not be negative, is " + bound);
    }
    return new StalenessHandle<>(handle, bound, workers);
  }

  private static <A> StoreHandle<A> make(
      String name,
      ValueType<A> type,
      int each,
      int vectors,
      Update update,
      Initializer initializer,
      boolean hasRounds) {
    if (each < 0) {
      throw new IllegalArgumentException("each must not be negative, is " + each);
    }
    ValueStore store =
        each == 0
            ? new VariableValueStore(0)
            : new HashValueStore(
                vectors * each * type.bytes() + (hasRounds ? Integer.BYTES : 0), 0);
    return new StoreHandle<>(name, type, store, update, initializer, each, vectors, hasRounds);
  }
}
