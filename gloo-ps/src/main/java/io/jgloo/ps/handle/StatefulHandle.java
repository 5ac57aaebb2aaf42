package io.jgloo.ps.handle;

import io.jgloo.ps.store.ValueStore;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A handle whose values can be written to a snapshot and read again. */
public interface StatefulHandle<A> extends RequestHandle<A> {

  /** The values, with what belongs to them; used between two requests. */
  ValueStore store();

  /** Names what the values are: a snapshot is read by handles of the same kind only. */
  default String kind() {
    return getClass().getName();
  }

  /** Vectors that a key has in the store: its values, and those of the rule behind them. */
  default int vectors() {
    return 1;
  }

  /** Bytes that a key has in the store behind its vectors. */
  default int tailBytes() {
    return 0;
  }

  /** Writes what it keeps besides the store, for a server that replaces this one. */
  default void saveState(DataOutput out) throws IOException {}

  /** Reads what {@link #saveState} has written, before the first request. */
  default void loadState(DataInput in) throws IOException {}
}
