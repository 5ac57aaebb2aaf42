package io.jgloo.rendezvous.store;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.InterruptedOperationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A key-value store that all ranks of a job can reach, through which they exchange their records.
 *
 * <p>Keys are strings of valid Unicode (at most {@link #MAX_KEY_BYTES} in UTF-8), values are bytes
 * (at most {@link #MAX_VALUE_BYTES}; an empty value is a value). Arrays handed in are copied or
 * written before the call returns, and arrays handed out belong to the caller.
 *
 * <p><b>The timeout rule.</b> A call that waits returns as soon as what it waits for is there, and
 * throws {@link StoreTimeoutException} once its timeout has passed, measured in nanoseconds from
 * the start of the call. {@link Duration#ZERO} means <em>look once, do not wait</em>; there is no
 * value for "for ever" (use a long one); a negative timeout is refused. Without a timeout argument
 * the store's {@link #timeout()} applies, which also bounds how long a call that does not wait may
 * take to reach the store.
 *
 * <p><b>Threads.</b> Every method may be called by any number of threads at once; a caller that
 * waits never holds up another caller of the same handle, so no handle needs to be cloned. Every
 * operation takes effect at one instant between its call and its return, as seen through all
 * handles of the store. {@link #multiGet} promises this for each entry rather than for the whole
 * unless the implementation documents more.
 *
 * <p><b>Fails.</b> {@link StoreTimeoutException}; {@link StoreUnavailableException} when the store
 * is lost; {@link ClosedException} after, or woken by, {@link #close()}; {@link
 * InterruptedOperationException} with the thread's interrupt flag set when a waiting thread is
 * interrupted; plain {@link StoreException} when the store refuses (for example {@link #add} on a
 * value that is no number). A bad argument is an {@link IllegalArgumentException} before the store
 * is touched. A timeout leaves the handle usable.
 *
 * <p>The methods without a default must be implemented; the defaults build the others on them.
 */
public interface Store extends AutoCloseable {
  /**
   * The longest key in UTF-8 bytes: the PyTorch server's limit of 8192 less the wire's leading
   * slash.
   */
  int MAX_KEY_BYTES = 8191;

  /** The longest value in bytes, 8 MiB, as in the PyTorch server. */
  int MAX_VALUE_BYTES = 8 << 20;

  /** The most keys in one call, as in the PyTorch server. */
  int MAX_KEYS = 1 << 17;

  /** The timeout of a store for which none was given, as in PyTorch. */
  Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  /** How long the calls without a timeout argument wait. */
  Duration timeout();

  /** Creates or overwrites {@code key}. */
  void set(String key, byte[] value);

  /** {@link #get(String, Duration)} with the store's timeout. */
  default byte[] get(String key) {
    return get(key, timeout());
  }

  /**
   * Waits until {@code key} exists and returns its value as it was at one instant.
   *
   * @throws StoreException when it exists as a queue only
   */
  byte[] get(String key, Duration timeout);

  /**
   * Waits until all {@code keys} exist at the same time. A non-empty queue of that name counts. No
   * keys: returns at once.
   */
  void wait(Collection<String> keys, Duration timeout);

  /**
   * As {@link #wait(Collection, Duration)}, but returns false once the timeout has passed and does
   * not find out which keys are missing, which may take a request for each.
   */
  default boolean await(Collection<String> keys, Duration timeout) {
    try {
      wait(keys, timeout);
      return true;
    } catch (StoreTimeoutException e) {
      return false;
    }
  }

  /**
   * Adds to the counter at {@code key} and returns its new value; a missing key counts as 0 and the
   * sum wraps at 64 bits. The counter is stored as decimal ASCII text; of an existing value leading
   * blanks are skipped and what follows the digits is ignored.
   *
   * @throws StoreException when the existing value does not begin with a 64-bit number (an empty
   *     one does not)
   */
  long add(String key, long delta);

  /**
   * Replaces the value if it equals {@code expected} and returns the value that is current
   * afterwards; so the exchange took place if the result equals {@code desired} (and {@code
   * desired} differs from what others write). A missing key matches an <em>empty</em> {@code
   * expected} and is then created. A missing key and a non-empty {@code expected} store nothing and
   * return {@code expected}: PyTorch's rule, kept so that all users of one store agree.
   */
  byte[] compareSet(String key, byte[] expected, byte[] desired);

  /** Removes the value and the queue of that name; returns whether there was any. */
  boolean deleteKey(String key);

  /** Whether all {@code keys} exist now (a non-empty queue counts). Never waits. */
  boolean check(Collection<String> keys);

  /**
   * Appends to the value of {@code key}, creating it if it is missing. There is no default on top
   * of {@link #compareSet}: of two callers that append the same bytes, neither could see whose
   * exchange took place.
   */
  default void append(String key, byte[] value) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " cannot append");
  }

  /** Waits until all {@code keys} exist and returns their values in the same order. */
  default List<byte[]> multiGet(List<String> keys, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    wait(keys, timeout);
    List<byte[]> values = new ArrayList<>(keys.size());
    for (String key : keys) {
      values.add(get(key, deadline.remaining()));
    }
    return values;
  }

  /**
   * Gives the handle up and wakes its waiters with {@link ClosedException}; what was stored stays
   * as long as the store itself lives. Idempotent.
   */
  @Override
  void close();
}
