package io.jgloo.rendezvous.store;

import java.time.Duration;

/**
 * Opens the stores of one URL scheme; found by {@link java.util.ServiceLoader}.
 *
 * <p>Threads: any.
 */
public interface StoreProvider {
  /** The scheme, without {@code ://}. */
  String scheme();

  /**
   * The store at a URL of this scheme.
   *
   * @param rank of the caller
   * @param size how many ranks will open it; 0 if that is not known
   * @param timeout the store's, and how long opening it may take
   * @throws IllegalArgumentException if the URL is invalid
   * @throws StoreUnavailableException if the store cannot be reached or served
   */
  Store open(StoreUrl url, int rank, int size, Duration timeout);
}
