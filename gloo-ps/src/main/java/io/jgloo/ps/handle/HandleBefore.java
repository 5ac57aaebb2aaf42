package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.store.ValueStore;
import org.jspecify.annotations.Nullable;

/** A handle before another one, which has the store. */
abstract class HandleBefore<A, H extends StatefulHandle<A>> implements StatefulHandle<A> {

  final H target;

  HandleBefore(H target) {
    this.target = target;
  }

  @Override
  public final ValueStore store() {
    return target.store();
  }

  @Override
  public final String kind() {
    return target.kind();
  }

  @Override
  public final int vectors() {
    return target.vectors();
  }

  @Override
  public final int tailBytes() {
    return target.tailBytes();
  }

  @Override
  public final @Nullable String check(RequestMeta meta, KvPairs<A> pairs) {
    return target.check(meta, pairs);
  }
}
