package io.jgloo.ps.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A store as a table of places, which can be read place by place while values are changed. */
abstract class TableStore implements ValueStore {

  private final List<TablePass> passes = new ArrayList<>(0);

  /** Number of places. */
  abstract long places();

  /** The place of a key; negative if it has none. */
  abstract long place(long key);

  /** Reads the key of a place, if it has one. */
  abstract void read(long place, EntryReader reader);

  /** The value of a key is about to change, or the key to be added. */
  final void changes(long key) {
    for (int i = 0; i < passes.size(); i++) {
      passes.get(i).changes(key);
    }
  }

  /** Keys are about to get other places. */
  final void moves() {
    List.copyOf(passes).forEach(pass -> pass.advance(Long.MAX_VALUE));
  }

  @Override
  public final void forEach(EntryReader reader) {
    for (long place = 0; place < places(); place++) {
      read(place, reader);
    }
  }

  @Override
  public final Pass pass(EntryReader reader) {
    TablePass pass = new TablePass(reader);
    passes.add(pass);
    return pass;
  }

  /** Reads a value that is changed before its turn first. */
  private final class TablePass implements Pass {
    private final EntryReader reader;

    /** Keys of places to come that are read already, or were added later. */
    private final Set<Long> done = new HashSet<>();

    private long next;
    private boolean hasEnded;

    TablePass(EntryReader reader) {
      this.reader = reader;
    }

    void changes(long key) {
      long place = place(key);
      if (place < 0) {
        done.add(key);
      } else if (place >= next && done.add(key)) {
        read(place, reader);
      }
    }

    @Override
    public boolean advance(long count) {
      if (hasEnded) {
        return false;
      }
      long end = places() - next > count ? next + count : places();
      for (; next < end; next++) {
        read(
            next,
            (key, address, bytes) -> {
              if (done.isEmpty() || !done.remove(key)) {
                reader.read(key, address, bytes);
              }
            });
      }
      if (next == places()) {
        close();
      }
      return !hasEnded;
    }

    @Override
    public void close() {
      hasEnded = true;
      passes.remove(this);
    }
  }
}
