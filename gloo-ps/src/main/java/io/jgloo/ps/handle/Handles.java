package io.jgloo.ps.handle;

import io.jgloo.ps.handle.StoreHandle.Update;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.ValueStore;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    return make("sum", type, each, 1, Update.sum(type), Initializer.ZERO);
  }

  /** A handle that adds pushed values to those of a store, which belongs to it from now on. */
  public static <A> StatefulHandle<A> sum(ValueType<A> type, int each, ValueStore store) {
    return new StoreHandle<>("sum", type, store, Update.sum(type), Initializer.ZERO, each, 1);
  }

  /** A handle that replaces values by the pushed ones. */
  public static <A> StatefulHandle<A> assign(ValueType<A> type, int each) {
    return make("assign", type, each, 1, Update.assign(type), Initializer.ZERO);
  }

  /** A handle that keeps the greatest value; a new key begins with 0. */
  public static <A> StatefulHandle<A> max(ValueType<A> type, int each) {
    return make("max", type, each, 1, Update.max(type), Initializer.ZERO);
  }

  /**
   * A handle that takes a step of an optimizer for each push.
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
    return make(optimizer.name(), type, each, 1 + optimizer.kept(), update, initializer);
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
    return new SumHandle.Aggregate<>(type, workers, store(handle));
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
    return new SumHandle.Rounds<>(type, workers, needed, store(handle));
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
    return new Staleness<>(handle, bound, workers);
  }

  private static <A> StoreHandle<A> make(
      String name,
      ValueType<A> type,
      int each,
      int vectors,
      Update update,
      Initializer initializer) {
    if (each < 0) {
      throw new IllegalArgumentException("each must not be negative, is " + each);
    }
    ValueStore store =
        each == 0 ? ValueStore.ofAnyLength() : ValueStore.ofLength(vectors * each * type.bytes());
    return new StoreHandle<>(name, type, store, update, initializer, each, vectors);
  }

  /** A handle before another one, which has the store. */
  abstract static class Before<A, H extends StatefulHandle<A>> implements StatefulHandle<A> {

    final H target;

    Before(H target) {
      this.target = target;
    }

    @Override
    public final ValueStore store() {
      return target.store();
    }

    @Override
    public final String kind() {
      return target.kind();
    }

    @Override
    public final int vectors() {
      return target.vectors();
    }

    @Override
    public final @Nullable String check(RequestMeta meta, KvPairs<A> pairs) {
      return target.check(meta, pairs);
    }
  }

  /**
   * Holds pulls back until no worker is more than some ticks behind the one that pulls.
   *
   * <p>The clock of a worker at a server is the number of its ticks there.
   */
  private static final class Staleness<A> extends Before<A, StatefulHandle<A>> {

    private record Waiting<A>(
        RequestMeta meta, KvPairs<A> pairs, Responder<A> responder, long clock) {}

    private static final long LEFT = Long.MAX_VALUE;

    private final int bound;
    private final long[] clocks;
    private final List<Waiting<A>> waiting = new ArrayList<>();

    Staleness(StatefulHandle<A> inner, int bound, int workers) {
      super(inner);
      this.bound = bound;
      clocks = new long[workers];
    }

    @Override
    public void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
      if (meta.isTick()) {
        int worker = meta.sender().rank();
        if (meta.change() == RequestMeta.Change.LEAVE) {
          clocks[worker] = LEFT;
        } else if (clocks[worker] == LEFT) { // it is back, with the slowest
          clocks[worker] = Arrays.stream(clocks).min().orElse(0) % LEFT + 1;
        } else {
          clocks[worker]++;
        }
        responder.ok();
        List<Waiting<A>> due = new ArrayList<>();
        waiting.removeIf(each -> isDue(each.clock()) && due.add(each));
        due.forEach(each -> target.handle(each.meta(), each.pairs(), each.responder()));
        return;
      }
      long clock = clocks[meta.sender().rank()] % LEFT;
      if (meta.isPull() && !isDue(clock)) {
        waiting.add(new Waiting<>(meta, pairs, responder, clock));
      } else {
        target.handle(meta, pairs, responder);
      }
    }

    @Override
    public void saveState(DataOutput out) throws IOException {
      for (long clock : clocks) {
        out.writeLong(clock);
      }
      target.saveState(out);
    }

    @Override
    public void loadState(DataInput in) throws IOException {
      for (int i = 0; i < clocks.length; i++) {
        clocks[i] = in.readLong();
      }
      target.loadState(in);
    }

    private boolean isDue(long clock) {
      for (long each : clocks) {
        if (each < clock - bound) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void close() {
      waiting.forEach(
          each ->
              each.responder().error(ServerErrorException.HANDLE_FAILED, "the server has ended"));
      waiting.clear();
      target.close();
    }
  }
}
