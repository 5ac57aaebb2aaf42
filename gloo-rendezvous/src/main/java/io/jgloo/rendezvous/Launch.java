package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.StoreUrl;
import java.time.Duration;
import java.util.Optional;

/**
 * What a launcher has told a process that it started: which rank of how many it is, and where the
 * ranks meet.
 *
 * @param launcher who started it
 * @param rank this rank, 0 to size - 1
 * @param size number of ranks
 * @param store URL of the store, for {@link Stores#open}
 * @param epoch incarnation of the group: how often the launcher has started it anew
 * @param networkInterface by which to reach the other ranks, if that is said
 * @param timeout how long to wait, if that is said
 */
public record Launch(
    String launcher,
    int rank,
    int size,
    String store,
    long epoch,
    Optional<String> networkInterface,
    Optional<Duration> timeout) {

  /** Refuses a rank that is none of the group. */
  public Launch {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalStateException(
          String.format("%s says rank %d of %d, which cannot be", launcher, rank, size));
    }
  }

  /** Who says what, for the log. */
  @Override
  public String toString() {
    return String.format(
        "rank %d of %d by %s, meeting at %s", rank, size, launcher, StoreUrl.masked(store));
  }
}
