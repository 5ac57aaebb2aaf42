package io.jgloo.rpc;

import io.jgloo.rpc.codec.Codec;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A handle at an agent that is not the owner; it holds no data.
 *
 * @param <T> type of the value
 */
final class UserRRef<T> extends RRef<T> {

  UserRRef(RRefs refs, Handle handle, Codec<T> codec) {
    super(refs, handle, codec);
  }

  @Override
  public CompletableFuture<Void> confirmed() {
    return refs.confirmations.of(Objects.requireNonNull(handle.fork));
  }

  @Override
  T read(long deadlineNanos) {
    return refs.fetches.read(Objects.requireNonNull(handle.fork), codec, deadlineNanos);
  }
}
