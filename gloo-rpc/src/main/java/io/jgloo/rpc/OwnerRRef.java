package io.jgloo.rpc;

import io.jgloo.rpc.codec.Codec;
import java.util.concurrent.CompletableFuture;

/**
 * A handle at the owner.
 *
 * @param <T> type of the value
 */
final class OwnerRRef<T> extends RRef<T> {

  OwnerRRef(RRefs refs, Handle handle, Codec<T> codec) {
    super(refs, handle, codec);
  }

  @Override
  public CompletableFuture<Void> confirmed() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  T read(long deadlineNanos) {
    return refs.values.read(handle.ref, codec, deadlineNanos);
  }
}
