package io.jgloo.collectives;

import io.jgloo.collectives.Range.Space;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;

/**
 * Derives which earlier operations an operation must wait for, from the bytes both touch: a read
 * waits for the last write, a write for the reads since the last write, or for that write itself.
 *
 * <p>Each space is a chain of extents that covers it. An access splits the extents at its ends and
 * looks at those between, so n operations cost O(n log n) as long as each meets a bounded number of
 * extents; comparing every pair would take seconds for a vector of gigabytes.
 */
@NullUnmarked // lists that end with null, and a map with all spaces
final class Dependencies {
  private static final int NONE = -1;

  private final Map<Space, NavigableMap<Long, Extent>> spaces = new EnumMap<>(Space.class);
  private final IntList found = new IntList();
  private final IntList starts = new IntList();
  private final IntList kept = new IntList();
  private int[] seen = new int[16];
  private int operation;

  Dependencies() {
    for (Space space : Space.values()) {
      spaces.put(space, new TreeMap<>(Map.of(0L, new Extent(Long.MAX_VALUE, null))));
    }
  }

  /**
   * The operation being added reads the range until it completes. The input, which nothing writes,
   * is not recorded.
   */
  void read(Range range) {
    if (range.space() == Space.INPUT) {
      return;
    }
    Extent extent = cut(range);
    while (true) {
      find(extent.writer);
      extent.readers = new Reader(operation, extent.readers);
      if (extent.end == range.end()) {
        return;
      }
      extent = extent.next;
    }
  }

  /**
   * The operation being added writes the range until it completes; the range becomes one extent.
   */
  void write(Range range) {
    Extent extent = cut(range);
    findAll(extent);
    while (extent.end < range.end()) {
      findAll(extent.next);
      spaces.get(range.space()).remove(extent.end);
      extent.end = extent.next.end;
      extent.next = extent.next.next;
    }
    extent.writer = operation;
    extent.readers = null;
  }

  private void findAll(Extent extent) {
    if (extent.readers == null) {
      find(extent.writer);
    }
    for (Reader reader = extent.readers; reader != null; reader = reader.next) {
      find(reader.operation);
    }
  }

  /** The operation being added waits for an earlier one, whatever they touch. */
  void after(int earlier) {
    find(earlier);
  }

  /** Ends the operation being added, keeping those it must wait for; the next one begins. */
  void next() {
    starts.add(kept.size());
    for (int i = 0; i < found.size(); i++) {
      int earlier = found.get(i);
      for (int j = starts.get(earlier); j < end(earlier); j++) {
        seen[kept.get(j)] = 0; // waiting for the later of the two is enough
      }
    }
    for (int i = 0; i < found.size(); i++) {
      int earlier = found.get(i);
      if (seen[earlier] == operation + 1) {
        kept.add(earlier);
      }
    }
    found.clear();
    operation++;
    if (operation == seen.length) {
      seen = Arrays.copyOf(seen, operation * 2);
    }
  }

  /** Where each operation's predecessors begin in {@link #predecessors()}; one more at the end. */
  int[] starts() {
    int[] all = Arrays.copyOf(starts.toArray(), starts.size() + 1);
    all[starts.size()] = kept.size();
    return all;
  }

  /** The predecessors of all operations, one after another. */
  int[] predecessors() {
    return kept.toArray();
  }

  private int end(int earlier) {
    return earlier + 1 < starts.size() ? starts.get(earlier + 1) : kept.size();
  }

  private void find(int earlier) {
    if (earlier != NONE && earlier != operation && seen[earlier] != operation + 1) {
      seen[earlier] = operation + 1;
      found.add(earlier);
    }
  }

  /** Makes extents begin and end where the range does; returns the first in it. */
  private Extent cut(Range range) {
    NavigableMap<Long, Extent> space = spaces.get(range.space());
    Map.Entry<Long, Extent> around = space.floorEntry(range.offset());
    Extent first = around.getValue();
    if (around.getKey() < range.offset()) {
      first = split(space, first, range.offset());
    }
    Extent last = first;
    while (last.end < range.end()) {
      last = last.next;
    }
    if (last.end > range.end()) {
      split(space, last, range.end());
    }
    return first;
  }

  private static Extent split(NavigableMap<Long, Extent> space, Extent extent, long at) {
    Extent rest = new Extent(extent.end, extent.next);
    rest.writer = extent.writer;
    rest.readers = extent.readers;
    extent.end = at;
    extent.next = rest;
    space.put(at, rest);
    return rest;
  }

  /** Neighbouring bytes with the same history. */
  private static final class Extent {
    private long end;
    private Extent next;
    private int writer = NONE;
    private Reader readers;

    Extent(long end, Extent next) {
      this.end = end;
      this.next = next;
    }
  }

  /** One more operation that reads an extent; lists share their tails when extents are split. */
  private record Reader(int operation, Reader next) {}
}
