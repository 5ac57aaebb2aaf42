package io.jgloo.collectives;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Derives which earlier operations an operation must wait for, from the bytes both touch: a read
 * waits for the last write, a write for the reads since the last write, or for that write itself.
 *
 * <p>Each space is a map of disjoint extents that covers it. An access splits the extents at its
 * ends and looks at those between, so n operations cost O(n log n) as long as each meets a bounded
 * number of extents; comparing every pair would take seconds for a vector of gigabytes.
 */
final class Dependencies {
  private static final int NOBODY = -1;

  private final NavigableMap<Long, Extent>[] spaces;
  private final IntList found = new IntList();
  private final IntList starts = new IntList();
  private final IntList kept = new IntList();
  private int[] seen = new int[16];
  private int operation;

  Dependencies() {
    spaces = newMaps(Space.values().length);
    for (int space = 0; space < spaces.length; space++) {
      spaces[space] = new TreeMap<>();
      spaces[space].put(0L, new Extent(NOBODY, null));
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of one type of map, filled above
  private static NavigableMap<Long, Extent>[] newMaps(int length) {
    return new NavigableMap[length];
  }

  /** The operation being added reads the range until it completes. */
  void read(Range range) {
    for (Extent extent : extents(range).values()) {
      find(extent.writer);
      extent.readers = new Reader(operation, extent.readers);
    }
  }

  /** The operation being added writes the range until it completes. */
  void write(Range range) {
    NavigableMap<Long, Extent> extents = extents(range);
    for (Extent extent : extents.values()) {
      if (extent.readers == null) {
        find(extent.writer);
      }
      for (Reader reader = extent.readers; reader != null; reader = reader.next) {
        find(reader.operation);
      }
    }
    extents.clear();
    spaces[range.space().ordinal()].put(range.offset(), new Extent(operation, null));
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
    if (earlier != NOBODY && earlier != operation && seen[earlier] != operation + 1) {
      seen[earlier] = operation + 1;
      found.add(earlier);
    }
  }

  private NavigableMap<Long, Extent> extents(Range range) {
    NavigableMap<Long, Extent> space = spaces[range.space().ordinal()];
    split(space, range.offset());
    split(space, range.end());
    return space.subMap(range.offset(), true, range.end(), false);
  }

  private static void split(NavigableMap<Long, Extent> space, long at) {
    Map.Entry<Long, Extent> around = space.floorEntry(at);
    if (around.getKey() != at) {
      space.put(at, new Extent(around.getValue().writer, around.getValue().readers));
    }
  }

  /** Neighbouring bytes with the same history; it ends where the next extent begins. */
  private static final class Extent {
    private final int writer;
    private Reader readers;

    Extent(int writer, Reader readers) {
      this.writer = writer;
      this.readers = readers;
    }
  }

  /** One more operation that reads an extent; lists share their tails when extents are split. */
  private record Reader(int operation, Reader next) {}
}
