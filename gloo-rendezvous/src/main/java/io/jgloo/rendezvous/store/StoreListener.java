package io.jgloo.rendezvous.store;

import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/**
 * Receives the changes of a key's value, see {@link StoreWatch#start}.
 *
 * <p>Threads: called by the watch's own, one call at a time. Exceptions are logged.
 */
@FunctionalInterface
public interface StoreListener {
  /**
   * The key was created, changed or deleted.
   *
   * @param before the old value, {@code null} if the key did not exist
   * @param after the new value, {@code null} if it does not exist any more
   */
  void changed(String key, byte @Nullable [] before, byte @Nullable [] after);

  /** The watch has ended without having been closed: the store was closed or lost. */
  default void ended(String key, JGlooException reason) {}
}
