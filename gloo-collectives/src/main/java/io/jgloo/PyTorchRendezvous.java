package io.jgloo;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Wire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rendezvous with PyTorch processes as the default group of an init method: the prefix of keys, and
 * the steps of older versions in the store after connecting.
 *
 * <pre>
 *   default_pg/0//cpu//0/RANK                 since 2.1: group 0, the backend of all devices, context 0
 *   default_pg/0/0/RANK, .../rank_RANK        up to 1.13: group 0, context 0
 *   default_pg/store_based_barrier_key:1      up to 1.13: counts who is connected
 *   default_pg/0/SEQ_NUM_STORE_KEY            up to 1.13: 8 bytes of rank 0, which are not used
 * </pre>
 *
 * <p><em>Threads</em>: one. <em>Owns</em>: nothing.
 */
final class PyTorchRendezvous {
  private static final String KEYS = "default_pg/0//cpu//0";
  private static final String CLASSIC_KEYS = "default_pg/0/0";
  private static final String CLASSIC_BARRIER = "default_pg/store_based_barrier_key:1";
  private static final String CLASSIC_NUMBER = "default_pg/0/SEQ_NUM_STORE_KEY";
  private static final int NUMBER_BYTES = 8;
  private static final long POLL_NANOS = 10_000_000;

  private final Store root;
  private final String keys;
  private final boolean classic;

  /**
   * @param keys prefix of the ranks' keys, or null for those of the default group
   */
  PyTorchRendezvous(Store root, Wire wire, @Nullable String keys) {
    this.root = root;
    this.classic = wire == Wire.GLOO_CLASSIC && keys == null;
    this.keys = keys != null ? keys : wire == Wire.GLOO_CLASSIC ? CLASSIC_KEYS : KEYS;
  }

  /** Where the ranks' addresses are. */
  Store store() {
    return new PrefixStore(keys, root);
  }

  /** Does what older processes wait for before they go on. */
  void finish(int rank, int size, Duration timeout) {
    if (!classic) {
      return;
    }
    if (rank == 0) {
      root.set(CLASSIC_NUMBER, new byte[NUMBER_BYTES]);
    }
    long deadline = System.nanoTime() + Connection.nanos(timeout);
    long come = root.add(CLASSIC_BARRIER, 1);
    while (come < size) { // they ask as often; nothing in the store could be waited for
      if (System.nanoTime() - deadline > 0) {
        List<Integer> others = IntStream.range(0, size).filter(r -> r != rank).boxed().toList();
        throw new OperationTimeoutException(
            "only " + come + " of " + size + " ranks had connected after " + timeout, others);
      }
      LockSupport.parkNanos(POLL_NANOS);
      come = root.add(CLASSIC_BARRIER, 0);
    }
  }
}
