package io.jgloo.collectives.verify;

import java.util.Arrays;

/**
 * The symbolic content of one buffer: runs of bytes that hold one term each, for consecutive
 * elements of the vector.
 *
 * <p>Run {@code i} holds bytes {@code start[i]} up to {@code start[i + 1]}; its first byte is byte
 * {@code origin[i]} of the vector. So a buffer of gigabytes costs as much as the cuts made in it.
 */
final class Runs {
  private long[] start = {0, 0};
  private int[] term = {Terms.UNDEFINED};
  private long[] origin = {0};
  private int count = 1;

  /** One run; its first byte is byte {@code origin} of the vector. */
  Runs(long length, int term, long origin) {
    this.start[1] = length;
    this.term[0] = term;
    this.origin[0] = origin;
  }

  int count() {
    return count;
  }

  /** Bytes in all runs. */
  long length() {
    return start[count];
  }

  int term(int run) {
    return term[run];
  }

  long origin(int run) {
    return origin[run];
  }

  long start(int run) {
    return start[run];
  }

  long end(int run) {
    return start[run + 1];
  }

  /** The run that holds a byte. */
  int runAt(long offset) {
    int found = Arrays.binarySearch(start, 0, count, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** A copy of a range, starting at 0. */
  Runs slice(long offset, long length) {
    int first = runAt(offset);
    int last = runAt(offset + length - 1);
    Runs copy = new Runs(length, Terms.UNDEFINED, 0);
    copy.count = last - first + 1;
    copy.term = Arrays.copyOfRange(term, first, last + 1);
    copy.origin = Arrays.copyOfRange(origin, first, last + 1);
    copy.start = Arrays.copyOfRange(start, first, last + 2);
    copy.origin[0] += offset - start[first];
    for (int run = 0; run < copy.count; run++) {
      copy.start[run] = Math.max(0, copy.start[run] - offset);
    }
    copy.start[copy.count] = length;
    return copy;
  }

  /** Puts runs in place of what was at the offset. */
  void replace(long offset, Runs with) {
    long end = offset + with.length();
    int only = runAt(offset);
    if (with.count == 1 && start[only] == offset && start[only + 1] == end) {
      term[only] = with.term[0];
      origin[only] = with.origin[0];
      return; // by far the most frequent case; not to merge here costs a few runs more
    }
    int first = split(offset);
    int after = split(end);
    int moved = count - after;
    int grown = count - (after - first) + with.count;
    long[] starts = new long[grown + 1];
    int[] terms = new int[grown];
    long[] origins = new long[grown];
    System.arraycopy(start, 0, starts, 0, first);
    System.arraycopy(term, 0, terms, 0, first);
    System.arraycopy(origin, 0, origins, 0, first);
    for (int run = 0; run < with.count; run++) {
      starts[first + run] = offset + with.start[run];
    }
    System.arraycopy(with.term, 0, terms, first, with.count);
    System.arraycopy(with.origin, 0, origins, first, with.count);
    System.arraycopy(start, after, starts, first + with.count, moved + 1);
    System.arraycopy(term, after, terms, first + with.count, moved);
    System.arraycopy(origin, after, origins, first + with.count, moved);
    start = starts;
    term = terms;
    origin = origins;
    count = grown;
    merge(Math.max(1, first), first + with.count);
  }

  /** Makes a run begin at the offset, unless it is the end; returns its number. */
  private int split(long at) {
    if (at == start[count]) {
      return count;
    }
    int run = runAt(at);
    if (start[run] == at) {
      return run;
    }
    start = Arrays.copyOf(start, count + 2);
    term = Arrays.copyOf(term, count + 1);
    origin = Arrays.copyOf(origin, count + 1);
    System.arraycopy(start, run, start, run + 1, count + 1 - run);
    System.arraycopy(term, run, term, run + 1, count - run);
    System.arraycopy(origin, run, origin, run + 1, count - run);
    start[run + 1] = at;
    origin[run + 1] += at - start[run];
    count++;
    return run + 1;
  }

  /** Joins neighbours that are one run, from the first to the last, and one beyond. */
  private void merge(int from, int to) {
    int kept = from - 1;
    for (int run = from; run < count; run++) {
      boolean continues =
          run <= to
              && term[run] == term[kept]
              && origin[run] == origin[kept] + (start[run] - start[kept]);
      if (!continues) {
        kept++;
        start[kept] = start[run];
        term[kept] = term[run];
        origin[kept] = origin[run];
      }
    }
    start[kept + 1] = start[count];
    count = kept + 1;
  }
}
