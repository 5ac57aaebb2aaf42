package io.jgloo.rendezvous.store;

import io.jgloo.rendezvous.time.Deadline;
import java.time.Duration;
import java.util.List;

/** A barrier on the keys of any store, as PyTorch builds it. */
final class KeyBarrier {
  private static final byte[] ONE = {'1'};

  private KeyBarrier() {}

  static void pass(Store store, String key, int callers, Duration timeout) {
    String members = StoreKeys.require(key) + "/num_members";
    String last = key + "/last_member";
    StoreKeys.requireCallers(callers);
    Deadline deadline = Deadline.after(timeout);
    if (store.add(members, 1) == callers) {
      store.set(last, ONE);
    }
    try {
      store.wait(List.of(last), deadline.remaining());
    } catch (StoreTimeoutException e) {
      throw new StoreTimeoutException(timeout, key, store.add(members, 0), callers);
    }
  }
}
