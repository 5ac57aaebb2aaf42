package io.jgloo.rpc.rref;

import io.jgloo.rpc.codec.Codec;
import java.util.concurrent.CompletableFuture;

/**
 * A handle at the owner.
 *
 * @param <T> type of the value
 */
public final class OwnerRRef<T> extends RRef<T> {

  OwnerRRef(RRefs refs, Handle handle, Codec<T> codec) {
    super(refs, handle, codec);
  }

  @Override
  public CompletableFuture<Void> confirmed() {
    return CompletableFuture.completedFuture(null);
  }

  /** Returns the value, as {@link #toHere()}: it is here. */
  public T localValue() {
    return toHere();
  }

  @Override
  T read(long deadlineNanos) {
    return refs.values().read(handle.ref(), codec, deadlineNanos);
  }
}
