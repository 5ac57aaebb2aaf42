package io.jgloo.collectives.execution;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.collectives.kernel.ArrayReduction;
import io.jgloo.transport.Reduction;

/**
 * An operand in an array of primitives, where its bytes are sent from, received and reduced. The
 * addresses of its operations are offsets in the array.
 *
 * <p>To stage it in memory with an address would read and write each byte once or twice more.
 *
 * <p><em>Threads</em>: as its plan, but what receives write is under the mesh's lock.
 */
final class OnArray {

  /** Stays in the cache while it is copied and reduced. */
  private static final int PIECE_BYTES = 64 << 10;

  private final ArrayReduction kernel;
  private final int elementBytes;
  private final long pieceBytes;
  private final Reduction storing = new Storing();
  private final Reduction reducing = new Reducing();
  private Region region;
  private long piece;

  /**
   * @param kernel null if nothing is reduced
   * @param readHere whether an operation of this rank alone reads the operand
   */
  OnArray(ArrayReduction kernel, int elementBytes, boolean readHere) {
    this.kernel = kernel;
    this.elementBytes = elementBytes;
    pieceBytes = readHere ? PIECE_BYTES : 0;
  }

  /** Whether no operation on the operand cuts an element. */
  static boolean serves(Schedule schedule, Space space) {
    int elementBytes = schedule.shape().elementBytes();
    for (int op = 0; op < schedule.operations(); op++) {
      boolean here = schedule.space(op) == space && schedule.offset(op) % elementBytes != 0;
      boolean read = readsAsSource(schedule, op, space);
      boolean there = read && schedule.sourceOffset(op) % elementBytes != 0;
      boolean uses = read || schedule.space(op) == space;
      if (here || there || (uses && schedule.length(op) % elementBytes != 0)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an operation of this rank alone reads the space. */
  static boolean readsAsSource(Schedule schedule, int op, Space space) {
    Kind kind = schedule.kind(op);
    return !kind.isMessage() && schedule.sourceSpace(op) == space;
  }

  /** Bytes of memory that it needs. */
  long pieceBytes() {
    return pieceBytes;
  }

  /**
   * Begins a run.
   *
   * @param memory of {@link #pieceBytes}
   */
  void open(Region operand, long memory) {
    region = operand;
    piece = memory;
  }

  /** Ends a run. */
  void close() {
    region = null;
    piece = 0;
  }

  /** What an operation does with what it writes. */
  Reduction writer(boolean reduces) {
    return reduces ? reducing : storing;
  }

  /** Has an operation read the range and do something with it. */
  void read(long offset, long length, long target, Reduction onto) {
    for (long done = 0; done < length; done += pieceBytes) {
      long bytes = Math.min(pieceBytes, length - done);
      if (onto == null) {
        region.load(offset + done, target + done, bytes);
      } else {
        region.load(offset + done, piece, bytes);
        onto.reduce(target + done, piece, bytes);
      }
    }
  }

  private final class Storing implements Reduction {
    @Override
    public void reduce(long target, long source, long bytes) {
      region.store(source, target - region.arrayOffset(), bytes);
    }

    @Override
    public int granule() {
      return elementBytes;
    }
  }

  private final class Reducing implements Reduction {
    @Override
    public void reduce(long target, long source, long bytes) {
      kernel.reduce(region.array(), target, source, bytes);
    }

    @Override
    public int granule() {
      return elementBytes;
    }
  }
}
