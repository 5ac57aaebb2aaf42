package io.jgloo.collectives.execution;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.collectives.kernel.Scaling;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Staging memory that stands for an operand on the heap while a plan runs, section by section.
 * Sections end where operations do.
 *
 * <p>What is sent is loaded when the send is issued. What an operation writes goes to the heap in
 * pieces that stay in the cache, of a receive as they arrive ({@link Writer}): the first operation
 * of a section combines them with what lies on the heap, the last one that writes it stores them,
 * and only what a later operation needs is kept in staging memory. To receive into staging memory
 * and to copy from it would read and write each byte once more in memory.
 *
 * <p><em>Threads</em>: as its plan, but what receives write is under the mesh's lock.
 */
final class Mirror {

  /** Fits a core's cache beside what the transport reads at a time. */
  private static final int PIECE_BYTES = 64 << 10;

  /** Stays in the cache in any case. */
  private static final int SMALL_BYTES = 4 << 10;

  private final Schedule schedule;
  private final Space space;
  private final Scaling beforehand;
  private final Scaling afterwards;
  private final long pieceBytes;
  private final long[] bounds;
  private final int[] touches;
  private final int[] first;
  private final int[] last;
  private final int[] writer;
  private final Writer[] writers;
  private final int[] left;
  private final boolean[] loaded;
  private Region region;
  private long address;
  private long arrivingPiece;
  private long localPiece;
  private boolean passes;

  /**
   * @param beforehand done to what is loaded, or null
   * @param afterwards done to what is stored, or null
   */
  Mirror(Schedule schedule, Space space, Scaling beforehand, Scaling afterwards) {
    this.schedule = schedule;
    this.space = space;
    this.beforehand = beforehand;
    this.afterwards = afterwards;
    int elementBytes = schedule.shape().elementBytes();
    pieceBytes = (long) Math.max(1, PIECE_BYTES / elementBytes) * elementBytes;
    bounds = cuts(schedule, space).stream().mapToLong(Long::longValue).toArray();
    int sections = bounds.length - 1;
    touches = new int[sections];
    first = new int[sections];
    last = new int[sections];
    writer = new int[sections];
    left = new int[sections];
    loaded = new boolean[sections];
    writers = new Writer[schedule.operations()];
    Arrays.fill(first, -1);
    Arrays.fill(writer, -1);
    for (int op = 0; op < writers.length; op++) {
      if (schedule.space(op) == space) {
        Kind kind = schedule.kind(op);
        touch(op, schedule.offset(op), schedule.length(op), kind != Kind.SEND);
        writers[op] = kind == Kind.SEND ? null : new Writer(op, kind.isReceive());
      }
      if (OnArray.readsAsSource(schedule, op, space)) {
        touch(op, schedule.sourceOffset(op), schedule.length(op), false);
      }
    }
  }

  /** Whether the operand is long and no operation cuts an element. */
  static boolean serves(Schedule schedule, Space space) {
    int elementBytes = schedule.shape().elementBytes();
    return schedule.bytes(space) > SMALL_BYTES
        && cuts(schedule, space).stream().allMatch(cut -> cut % elementBytes == 0);
  }

  private static SortedSet<Long> cuts(Schedule schedule, Space space) {
    SortedSet<Long> all = new TreeSet<>();
    all.add(0L);
    all.add(schedule.bytes(space));
    for (int op = 0; op < schedule.operations(); op++) {
      if (schedule.space(op) == space) {
        all.add(schedule.offset(op));
        all.add(schedule.offset(op) + schedule.length(op));
      }
      if (OnArray.readsAsSource(schedule, op, space)) {
        all.add(schedule.sourceOffset(op));
        all.add(schedule.sourceOffset(op) + schedule.length(op));
      }
    }
    return all;
  }

  /** Operations that conflict are in their schedule in the order in which they run. */
  private void touch(int op, long offset, long length, boolean writes) {
    for (int s = section(offset); bounds[s] < offset + length; s++) {
      touches[s]++;
      last[s] = op;
      if (first[s] < 0) {
        first[s] = op;
      }
      if (writes) {
        writer[s] = op;
      }
    }
  }

  /** Bytes that pieces of an operand need: one for receives and one for other operations. */
  long piecesBytes() {
    return 2 * Math.min(schedule.bytes(space), PIECE_BYTES);
  }

  /**
   * Begins a run: nothing is loaded.
   *
   * @param address of staging memory
   * @param pieces address of memory for {@link #piecesBytes}
   */
  void open(Region region, long address, long pieces) {
    this.region = region;
    this.address = address;
    arrivingPiece = pieces;
    localPiece = pieces + piecesBytes() / 2;
    passes = false;
    System.arraycopy(touches, 0, left, 0, left.length);
    Arrays.fill(loaded, false);
  }

  /** Lets every section pass from here to memory and back, those too that no operation changes. */
  void passUntouched() {
    passes = true;
    for (int s = 0; s < touches.length; s++) {
      if (touches[s] == 0) {
        load(s);
        store(s);
      }
    }
  }

  /** Ends a run. */
  void close() {
    region = null;
    address = 0;
  }

  /** An operation is about to send the range, or to write it in staging memory. */
  void before(long offset, long length, boolean overwrites) {
    for (int s = section(offset); bounds[s] < offset + length; s++) {
      if (!loaded[s]) {
        loaded[s] = true;
        if (!overwrites || offset > bounds[s] || offset + length < bounds[s + 1]) {
          load(s);
        }
      }
    }
  }

  /** An operation that used the range has completed. */
  void after(long offset, long length) {
    for (int s = section(offset); bounds[s] < offset + length; s++) {
      if (--left[s] == 0 && passes && writer[s] < 0) {
        store(s);
      }
    }
  }

  /**
   * What an operation does with what it writes instead of storing or reducing it in staging memory.
   *
   * @param kernel null if it stores it
   */
  Reduction writer(int op, Reduction kernel) {
    writers[op].kernel = kernel;
    return writers[op];
  }

  /**
   * Has an operation read the range.
   *
   * @param target address of what it writes
   * @param onto what it does with what it reads; null if it copies it
   * @param apart whether it writes another operand
   */
  void read(int op, long offset, long length, long target, Reduction onto, boolean apart) {
    long end = offset + length;
    long shift = target - offset;
    for (int s = section(offset); bounds[s] < end; s++) {
      boolean once = apart && !passes && first[s] == op && last[s] == op;
      if (!once) {
        before(bounds[s], bounds[s + 1] - bounds[s], false);
      }
      long limit = Math.min(end, bounds[s + 1]);
      for (long at = Math.max(offset, bounds[s]); at < limit; at += pieceBytes) {
        long bytes = Math.min(pieceBytes, limit - at);
        long source = address + at;
        if (once) {
          source = localPiece;
          load(at, source, bytes);
        }
        if (onto == null) {
          Memory.copy(source, at + shift, bytes);
        } else {
          onto.reduce(at + shift, source, bytes);
        }
      }
    }
  }

  private void load(int section) {
    long end = bounds[section + 1];
    for (long at = bounds[section]; at < end; at += pieceBytes) {
      load(at, address + at, Math.min(pieceBytes, end - at));
    }
  }

  private void load(long offset, long target, long length) {
    region.load(offset, target, length);
    if (beforehand != null) {
      beforehand.apply(target, length);
    }
  }

  private void store(int section) {
    long end = bounds[section + 1];
    for (long at = bounds[section]; at < end; at += pieceBytes) {
      store(address + at, at, Math.min(pieceBytes, end - at));
    }
  }

  private void store(long source, long offset, long length) {
    if (afterwards != null) {
      afterwards.apply(source, length);
    }
    region.store(source, offset, length);
  }

  /** The section with a byte; that of the last bound is none, but may be asked for. */
  private int section(long offset) {
    int at = Arrays.binarySearch(bounds, offset);
    return at >= 0 ? at : -at - 2;
  }

  /** What an operation writes, on its way to the heap. */
  private final class Writer implements Reduction {

    private final int op;
    private final boolean receives;
    private Reduction kernel;

    Writer(int op, boolean receives) {
      this.op = op;
      this.receives = receives;
    }

    @Override
    public void reduce(long target, long source, long bytes) {
      long offset = target - address;
      long end = offset + bytes;
      for (int s = section(offset); bounds[s] < end; s++) {
        long limit = Math.min(end, bounds[s + 1]);
        for (long at = Math.max(offset, bounds[s]); at < limit; at += pieceBytes) {
          write(s, at, source + (at - offset), Math.min(pieceBytes, limit - at));
        }
      }
    }

    private void write(int section, long at, long source, long length) {
      boolean keeps = last[section] != op;
      boolean stores = writer[section] == op;
      long target = address + at;
      long piece = receives ? arrivingPiece : localPiece;
      if (kernel == null && stores && afterwards == null) {
        region.store(source, at, length);
        if (keeps) {
          Memory.copy(source, target, length);
        }
        return;
      }
      long result = keeps || first[section] != op ? target : piece;
      if (kernel == null) {
        Memory.copy(source, result, length);
      } else {
        if (first[section] == op) {
          load(at, result, length);
        }
        kernel.reduce(result, source, length);
      }
      if (stores) {
        if (keeps && afterwards != null) {
          Memory.copy(result, piece, length);
          result = piece;
        }
        store(result, at, length);
      }
    }

    @Override
    public int granule() {
      return kernel == null ? schedule.shape().elementBytes() : kernel.granule();
    }

    @Override
    public int bytesAtATime() {
      return kernel == null ? Integer.MAX_VALUE : kernel.bytesAtATime();
    }
  }
}
