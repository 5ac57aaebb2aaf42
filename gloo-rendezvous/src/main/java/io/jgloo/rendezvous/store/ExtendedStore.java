package io.jgloo.rendezvous.store;

import io.jgloo.rendezvous.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What PyTorch's stores offer beyond a {@link Store}: counts and lists of keys, several values set
 * at once, queues and barriers. No group needs them; all stores of this library have them, but
 * files have no queues.
 *
 * <p>{@link #multiSet} and {@link #queuePop} take effect at one instant for each entry rather than
 * for the whole unless the implementation documents more.
 */
public interface ExtendedStore extends Store {
  /**
   * The number of keys with a value, other users' of the same store included; queues are not
   * counted.
   */
  long numKeys();

  /**
   * Every key that has a value, in no order.
   *
   * @throws UnsupportedOperationException when the server of this store cannot list them
   */
  List<String> listKeys();

  /** Sets every entry. */
  void multiSet(Map<String, byte[]> entries);

  /** Puts {@code value} at the end of the queue {@code key}. */
  default void queuePush(String key, byte[] value) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no queues");
  }

  /** {@link #queuePop(String, Duration)} with the store's timeout. */
  default byte[] queuePop(String key) {
    return queuePop(key, timeout());
  }

  /**
   * Waits until the queue {@code key} has an element and takes the first; each goes to one caller.
   *
   * @throws StoreException when {@code key} has a value and no queue
   */
  default byte[] queuePop(String key, Duration timeout) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no queues");
  }

  /** The number of elements in the queue {@code key}; 0 when there is none. */
  default long queueLen(String key) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no queues");
  }

  /** {@link #barrier(String, int, Duration)} with the store's timeout. */
  default void barrier(String key, int callers) {
    barrier(key, callers, timeout());
  }

  /**
   * Returns when so many callers have called it with this key. Once: after the first round the key
   * lets all callers pass, so every barrier needs a key of its own. Built, as in PyTorch, on the
   * keys {@code key/num_members} and {@code key/last_member}, unless a store documents another way.
   *
   * @param callers how many must call, 1 or more
   * @throws StoreTimeoutException with the number of callers that have arrived
   */
  default void barrier(String key, int callers, Duration timeout) {
    String members = StoreKeys.require(key) + "/num_members";
    String last = key + "/last_member";
    StoreKeys.requireCallers(callers);
    Deadline deadline = Deadline.after(timeout);
    if (add(members, 1) == callers) {
      set(last, new byte[] {'1'});
    }
    try {
      wait(List.of(last), deadline.remaining());
    } catch (StoreTimeoutException e) {
      throw new StoreTimeoutException(timeout, key, add(members, 0), callers);
    }
  }
}
