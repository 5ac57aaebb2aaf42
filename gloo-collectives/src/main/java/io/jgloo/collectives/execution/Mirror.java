package io.jgloo.collectives.execution;

import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.kernel.Scaling;
import java.util.Arrays;

/**
 * Staging memory that stands for an operand on the heap while a plan runs, block by block.
 *
 * <p>A block is loaded when the first operation that needs it is issued, and stored when the last
 * one that touches it has completed: so copying goes on while messages are under way, and blocks
 * that are overwritten anyway are never loaded. To stage the whole vector before and after would be
 * simpler and leave the wire idle for both copies.
 *
 * <p><em>Threads</em>: as its plan.
 */
final class Mirror {

  /**
   * A quarter of a default segment: small enough to overlap, large enough to copy fast. Blocks of
   * odd elements are shorter, so that no element lies in two.
   */
  static final long BLOCK_BYTES = 64 * 1024;

  private final long blockBytes;
  private final Scaling beforehand;
  private final Scaling afterwards;
  private final int[] touches;
  private final boolean[] written;
  private final int[] left;
  private final boolean[] loaded;
  private Region region;
  private long address;
  private long bytes;

  /**
   * @param beforehand done to what is loaded, or null
   * @param afterwards done to what is stored, or null
   */
  Mirror(Schedule schedule, Space space, Scaling beforehand, Scaling afterwards) {
    this.beforehand = beforehand;
    this.afterwards = afterwards;
    int elementBytes = schedule.shape().elementBytes();
    blockBytes = Math.max(1, BLOCK_BYTES / elementBytes) * elementBytes;
    int blocks = Math.toIntExact((schedule.bytes(space) + blockBytes - 1) / blockBytes);
    touches = new int[blocks];
    written = new boolean[blocks];
    left = new int[blocks];
    loaded = new boolean[blocks];
    for (int op = 0; op < schedule.operations(); op++) {
      long length = schedule.length(op);
      if (schedule.space(op) == space) {
        touch(schedule.offset(op), length, schedule.kind(op) != Schedule.Kind.SEND);
      }
      if (!schedule.kind(op).isMessage() && schedule.sourceSpace(op) == space) {
        touch(schedule.sourceOffset(op), length, false);
      }
    }
  }

  private void touch(long offset, long length, boolean writes) {
    for (int block = first(offset); block < end(offset, length); block++) {
      touches[block]++;
      written[block] |= writes;
    }
  }

  /** Begins a run: nothing is loaded. */
  void open(Region region, long address, long bytes) {
    this.region = region;
    this.address = address;
    this.bytes = bytes;
    System.arraycopy(touches, 0, left, 0, left.length);
    Arrays.fill(loaded, false);
  }

  /** Lets every block pass from here to memory and back, those too that no operation changes. */
  void passUntouched() {
    for (int block = 0; block < touches.length; block++) {
      written[block] = true;
      if (touches[block] == 0) {
        load(block);
        store(block);
      }
    }
  }

  /** Ends a run. */
  void close() {
    region = null;
    address = 0;
    bytes = 0;
  }

  /** An operation is about to use the range, which it overwrites or not. */
  void before(long offset, long length, boolean overwrites) {
    int end = end(offset, length);
    for (int block = first(offset); block < end; block++) {
      if (!loaded[block]) {
        loaded[block] = true;
        long start = block * blockBytes;
        if (!overwrites || offset > start || offset + length < start + size(start)) {
          load(block);
        }
      }
    }
  }

  /** An operation that used the range has completed. */
  void after(long offset, long length) {
    int end = end(offset, length);
    for (int block = first(offset); block < end; block++) {
      if (--left[block] == 0 && written[block]) {
        store(block);
      }
    }
  }

  private void load(int block) {
    long start = block * blockBytes;
    region.load(start, address + start, size(start));
    if (beforehand != null) {
      beforehand.apply(address + start, size(start));
    }
  }

  private void store(int block) {
    long start = block * blockBytes;
    if (afterwards != null) {
      afterwards.apply(address + start, size(start));
    }
    region.store(address + start, start, size(start));
  }

  private long size(long start) {
    return Math.min(blockBytes, bytes - start);
  }

  private int first(long offset) {
    return (int) (offset / blockBytes);
  }

  private int end(long offset, long length) {
    return length == 0 ? 0 : (int) ((offset + length + blockBytes - 1) / blockBytes);
  }
}
