package io.jgloo.ps.handle;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.HashValueStore;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.ps.store.VariableValueStore;

/**
 * Handles that keep values in a store.
 *
 * <p>Each call makes a handle with a store of its own, for one shard. A key that was never pushed
 * has the value 0, or no values if keys may have different numbers of them. Pushes that also pull
 * are answered with the new values.
 */
public final class Handles {

  private static final double EPSILON = 1e-10;

  private Handles() {}

  /**
   * A handle that adds pushed values.
   *
   * @param each number of values of each key; 0 if the first push of a key decides
   */
  public static <A> StatefulHandle<A> sum(ValueType<A> type, int each) {
    return make("sum", type, each, 1, Rule.sum(type));
  }

  /** A handle that adds pushed values to those of a store, which belongs to it from now on. */
  public static <A> StatefulHandle<A> sum(ValueType<A> type, int each, ValueStore store) {
    return new StoreHandle<>("sum", type, store, Rule.sum(type), each, 1);
  }

  /** A handle that replaces values by the pushed ones. */
  public static <A> StatefulHandle<A> assign(ValueType<A> type, int each) {
    return make("assign", type, each, 1, Rule.assign(type));
  }

  /** A handle that keeps the greatest value; a new key begins with 0. */
  public static <A> StatefulHandle<A> max(ValueType<A> type, int each) {
    return make("max", type, each, 1, Rule.max(type));
  }

  /**
   * A handle that takes a step of gradient descent for each push.
   *
   * @param type floats or doubles
   * @param rate factor of the pushed gradients
   */
  public static <A> StatefulHandle<A> sgd(ValueType<A> type, int each, double rate) {
    requireFloating(type);
    return make("sgd", type, each, 1, Rule.sgd(type, rate));
  }

  /**
   * A handle that takes a step of Adagrad for each push.
   *
   * @param type floats or doubles
   * @param rate factor of the pushed gradients, which is divided by the root of the sum of their
   *     squares
   */
  public static <A> StatefulHandle<A> adagrad(ValueType<A> type, int each, double rate) {
    requireFloating(type);
    return make("adagrad", type, each, 2, Rule.adagrad(type, rate, EPSILON));
  }

  /**
   * A handle that waits until each worker has pushed a key and then takes one step of gradient
   * descent with the sum of the pushes; only then these are answered. With rate -1 it adds the sum.
   *
   * @param type floats or doubles
   * @param workers number of workers
   */
  public static <A> StatefulHandle<A> synchronousSgd(
      ValueType<A> type, int each, double rate, int workers) {
    requireFloating(type);
    return new AggregateHandle<>(type, workers, make("sgd", type, each, 1, Rule.sgd(type, rate)));
  }

  /** As {@link #synchronousSgd}, but adds the sum of the pushes of all workers. */
  public static <A> StatefulHandle<A> synchronousSum(ValueType<A> type, int each, int workers) {
    return new AggregateHandle<>(type, workers, make("sum", type, each, 1, Rule.sum(type)));
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
      String name, ValueType<A> type, int each, int kept, Rule rule) {
    if (each < 0) {
      throw new IllegalArgumentException("each must not be negative, is " + each);
    }
    ValueStore store =
        each == 0 ? new VariableValueStore(0) : new HashValueStore(kept * each * type.bytes(), 0);
    return new StoreHandle<>(name, type, store, rule, each, kept);
  }

  private static void requireFloating(ValueType<?> type) {
    if (type != ValueType.FLOATS && type != ValueType.DOUBLES) {
      throw new IllegalArgumentException("type must be float or double, is " + type);
    }
  }
}
