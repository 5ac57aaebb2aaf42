package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.StoreUrl;
import java.time.Duration;
import java.util.Optional;

/**
 * The rank, the size and the store of this process, from its launcher.
 *
 * @param launcher name of the launcher
 * @param rank this rank, 0 to size - 1
 * @param size number of ranks
 * @param store URL of the store, for {@link Stores#open}
 * @param epoch incarnation of the group: how often the launcher has restarted it
 * @param networkInterface the interface to reach the other ranks, if it is set
 * @param timeout how long to wait, if it is set
 */
public record Launch(
    String launcher,
    int rank,
    int size,
    String store,
    long epoch,
    Optional<String> networkInterface,
    Optional<Duration> timeout) {

  /** Refuses a rank outside the group. */
  public Launch {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalStateException(
          String.format(
              "%s sets rank %d of %d; the rank must be from 0 to size - 1", launcher, rank, size));
    }
  }

  /** Rank, size, launcher and store, for the log. */
  @Override
  public String toString() {
    return String.format(
        "rank %d of %d by %s, store %s", rank, size, launcher, StoreUrl.masked(store));
  }
}
