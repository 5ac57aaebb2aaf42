package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;

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

  /** Gives memory back; no request follows. */
  @Override
  default void close() {}
}
