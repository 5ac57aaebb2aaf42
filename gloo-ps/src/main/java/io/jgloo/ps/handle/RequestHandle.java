package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import org.jspecify.annotations.Nullable;

/** Executes the requests of an application at a server. */
@FunctionalInterface
public interface RequestHandle<A> extends AutoCloseable {

  /**
   * Executes a request, or what of it belongs to one shard.
   *
   * <p>Requests that have a key in common are executed one after another, in the order in which the
   * worker and customer made them. An exception is answered as an error with code {@link
   * Responder#HANDLE_FAILED}.
   *
   * @param pairs keys, ascending, with the pushed values; valid until the response
   * @param responder is to be called exactly once, now or later, by any thread
   */
  void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder);

  /**
   * Says what is wrong with a push, before a shard executes it: one that a shard refuses is
   * executed by none. Changes nothing.
   *
   * @return null if {@link #handle} can execute it
   */
  default @Nullable String check(RequestMeta meta, KvPairs<A> pairs) {
    return null;
  }

  /** Gives memory back; no request follows. */
  @Override
  default void close() {}
}
