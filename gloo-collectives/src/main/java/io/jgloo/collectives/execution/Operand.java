package io.jgloo.collectives.execution;

import io.jgloo.collectives.Retainable;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.kernel.Scaling;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;

/**
 * One symbolic buffer of a plan, bound to memory while the plan runs.
 *
 * <p>Where the operation asks for it, contributions are scaled on their way in and results on their
 * way out: mirrored ones section by section, others in their place. An input is the caller's to
 * read only, so one that must be scaled is mirrored wherever it lies.
 *
 * <p><em>Threads</em>: as its plan. <em>Owns</em>: what it took from the pool, until released.
 */
final class Operand {

  private final Schedule schedule;
  private final Space space;
  private final Scaling beforehand;
  private final Scaling afterwards;
  private final boolean changesWhatLiesThere; // though no operation may write it
  private final StagingPool pool;
  private final Buffer window;
  private Mirror mirror; // made when the operand first lies on the heap
  private boolean mirrored;
  private final OnArray onArray; // null if it cannot be left there
  private boolean inArray;
  private boolean passes;
  private long address;
  private long bytes;
  private long pooledBytes;
  private long pieces;
  private long piecesBytes;
  private Object keepAlive;
  private Retainable retained;

  Operand(PlanFamily family, Space space, StagingPool pool, Mesh mesh) {
    schedule = family.schedule();
    this.space = space;
    this.pool = pool;
    boolean contributes = space == family.contribution();
    beforehand = contributes ? family.beforehand() : null;
    afterwards = space == Space.OUTPUT ? family.afterwards() : null;
    changesWhatLiesThere = beforehand != null || (family.isSingle() && afterwards != null);
    window = mesh.newBuffer();
    onArray = onArray(family);
  }

  private OnArray onArray(PlanFamily family) {
    if (space == Space.SCRATCH || !family.mayWorkOnArrays() || !OnArray.serves(schedule, space)) {
      return null;
    }
    boolean read = false;
    for (int op = 0; op < schedule.operations(); op++) {
      read |= OnArray.readsAsSource(schedule, op, space);
    }
    return new OnArray(family.onArrays(), schedule.shape().elementBytes(), read);
  }

  /**
   * Lies where the caller says, or in a mirror of that.
   *
   * @param region null if the call has no such operand
   * @param arrays whether arrays are sent from where they are
   */
  void bind(Region region, boolean arrays) {
    if (region != null) {
      retained = region.retain();
      address = region.address();
      bytes = region.bytes();
      keepAlive = region.keepAlive();
      boolean scaled = space == Space.INPUT && beforehand != null;
      if (arrays && !scaled && mayStayIn(region.array())) {
        bindArray(region);
        return;
      }
      if (bytes > 0 && (scaled || region.isStaged())) {
        take(bytes);
        if (mirror == null) {
          mirror = new Mirror(schedule, space, beforehand, afterwards);
        }
        piecesBytes = mirror.piecesBytes();
        pieces = pool.take(piecesBytes);
        passes = region.changesWhatPasses();
        mirror.open(region, address, pieces);
        mirrored = true;
      }
    }
    window.wrap(address, bytes, keepAlive);
  }

  private boolean mayStayIn(Object array) {
    return onArray != null
        && array != null
        && (beforehand == null || beforehand.appliesTo(array))
        && (afterwards == null || afterwards.appliesTo(array));
  }

  private void bindArray(Region region) {
    address = region.arrayOffset();
    piecesBytes = onArray.pieceBytes();
    pieces = pool.take(piecesBytes);
    onArray.open(region, pieces);
    inArray = true;
    window.wrap(region.array(), address, bytes);
  }

  /** Lies in memory of the pool. */
  void bindScratch() {
    take(schedule.scratchBytes());
    window.wrap(address, schedule.scratchBytes(), null);
  }

  private void take(long bytes) {
    address = pool.take(bytes);
    pooledBytes = bytes;
  }

  /** Scales a contribution that lies where the result will. */
  void prepare() {
    if (mirrored && space == Space.OUTPUT && (changesWhatLiesThere || passes)) {
      mirror.passUntouched();
    } else if (beforehand != null && space == Space.OUTPUT) {
      scale(beforehand);
    }
  }

  /** Scales the result; what is mirrored has been already. */
  void complete() {
    if (afterwards != null && !mirrored) {
      scale(afterwards);
    }
  }

  private void scale(Scaling scaling) {
    if (inArray) {
      scaling.apply(window.array(), address, bytes);
    } else {
      scaling.apply(address, bytes);
    }
  }

  /** Lets go of the memory. */
  void release() {
    window.close();
    if (pooledBytes > 0) {
      pool.give(address, pooledBytes);
      pooledBytes = 0;
    }
    if (mirrored) {
      mirror.close();
      mirrored = false;
    }
    if (inArray) {
      onArray.close();
      inArray = false;
    }
    if (pieces != 0) {
      pool.give(pieces, piecesBytes);
      pieces = 0;
    }
    address = 0;
    bytes = 0;
    keepAlive = null;
    if (retained != null) {
      retained.release();
      retained = null;
    }
  }

  Buffer window() {
    return window;
  }

  long address() {
    return address;
  }

  /** Whether it lies in a mirror. */
  boolean isMirrored() {
    return mirrored;
  }

  /** Whether operations load what they need for what they write. */
  boolean isDirect() {
    return mirrored && mirror.isDirect();
  }

  /**
   * What an operation does with what it writes.
   *
   * @param kernel null if it stores it
   * @return null if it stores it
   */
  Reduction writer(int op, Reduction kernel) {
    if (inArray) {
      return onArray.writer(kernel != null);
    }
    return mirrored ? mirror.writer(op, kernel) : kernel;
  }

  /**
   * Has an operation read a range of it.
   *
   * @param target address of what it writes
   * @param onto what it does with what it reads; null if it copies it
   * @param apart whether it writes another operand
   */
  void read(int op, long offset, long length, long target, Reduction onto, boolean apart) {
    if (mirrored) {
      mirror.read(op, offset, length, target, onto, apart);
    } else if (inArray) {
      onArray.read(offset, length, target, onto);
    } else if (onto != null) {
      onto.reduce(target, address + offset, length);
    } else {
      Memory.copy(address + offset, target, length);
    }
  }

  /** What the caller's memory needs to stay allocated; it is held as long as this operand. */
  Object keepAlive() {
    return keepAlive;
  }

  /** An operation is about to use the range, which it overwrites or not. */
  void before(long offset, long length, boolean overwrites) {
    if (mirrored) {
      mirror.before(offset, length, overwrites);
    }
  }

  /** An operation that used the range has completed. */
  void after(long offset, long length) {
    if (mirrored) {
      mirror.after(offset, length);
    }
  }
}
