package io.jgloo.ps.handle;

import io.jgloo.ps.store.ValueStore;

/** A handle whose values can be written to a snapshot and read again. */
public interface StatefulHandle<A> extends RequestHandle<A> {

  /** The values, with what belongs to them; used between two requests. */
  ValueStore store();
}
