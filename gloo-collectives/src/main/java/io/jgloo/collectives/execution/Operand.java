package io.jgloo.collectives.execution;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Retainable;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.collectives.kernel.Scaling;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Reduction;
import java.util.stream.IntStream;

/**
 * One symbolic buffer of a plan, bound to memory while the plan runs: to the caller's own, to its
 * array, or to staging memory. A long array is staged section by section in a {@link Mirror}; what
 * is short, or cut inside elements, is loaded as a whole before the first operation and stored
 * after the last.
 *
 * <p>Where the operation asks for it, contributions are scaled on their way in and results on their
 * way out: mirrored ones section by section, others in their place. An input is the caller's to
 * read only, so one that must be scaled is staged wherever it lies.
 *
 * <p><em>Threads</em>: as its plan. <em>Owns</em>: what it took from the pool, until released.
 */
final class Operand {

  private final Schedule schedule;
  private final Space space;
  private final long scratchBytes;
  private final Scaling beforehand;
  private final Scaling afterwards;
  private final boolean changesWhatLiesThere; // though no operation may write it
  private final boolean isWritten;
  private final boolean mirrors;
  private final StagingPool pool;
  private final Buffer window; // null on cells
  private Mirror mirror; // made when the operand first lies on the heap
  private boolean mirrored;
  private final OnArray onArray; // null if it cannot be left there
  private boolean inArray;
  private boolean staged; // as a whole
  private boolean unloaded; // as no operation has used it yet
  private Region region;
  private long address;
  private long bytes;
  private long pooledBytes;
  private long pieces;
  private long piecesBytes;
  private Retainable retained;

  /** For a plan whose messages are requests: on pieces of the pool and windows of the mesh. */
  Operand(PlanFamily family, Space space, StagingPool pool, Mesh mesh) {
    this(family, space, pool, mesh.newBuffer(), true);
  }

  /** For a plan on cells, see {@link #place}. */
  Operand(PlanFamily family, Space space) {
    this(family, space, null, null, false);
  }

  private Operand(
      PlanFamily family, Space space, StagingPool pool, Buffer window, boolean sections) {
    schedule = family.schedule();
    this.space = space;
    this.pool = pool;
    scratchBytes = schedule.scratchBytes();
    this.window = window;
    boolean contributes = space == family.contribution();
    beforehand = contributes ? family.beforehand() : null;
    afterwards = space == Space.OUTPUT ? family.afterwards() : null;
    changesWhatLiesThere = beforehand != null || (family.isSingle() && afterwards != null);
    isWritten =
        IntStream.range(0, schedule.operations())
            .anyMatch(op -> schedule.space(op) == space && schedule.kind(op) != Kind.SEND);
    mirrors = sections && Mirror.serves(schedule, space);
    onArray = sections ? onArray(family) : null;
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
   * Lies where the caller says, or in staging memory of the pool.
   *
   * @param region null if the call has no such operand
   * @param arrays whether arrays are sent from where they are
   */
  void bind(Region region, boolean arrays) {
    hold(region);
    if (arrays && region != null && !isScaledInput() && mayStayIn(region.array())) {
      bindArray();
      return;
    }
    if (staged) {
      take(bytes);
    }
    if (staged && mirrors) {
      openMirror();
    }
    window.wrap(address, bytes, region == null ? null : region.keepAlive());
  }

  /** Lies where the caller says, or where {@link #place} says. */
  void hold(Region region) {
    this.region = region;
    if (region != null) {
      retained = region.retain();
      address = region.address();
      bytes = region.bytes();
      staged = bytes > 0 && (region.isStaged() || isScaledInput());
    }
  }

  /**
   * Gives an operand that is staged, or scratch, its memory.
   *
   * @param loads whether it is to be loaded when an operation uses it, if it is staged
   */
  void place(long staging, boolean loads) {
    if (staged || space == Space.SCRATCH) {
      address = staging;
    }
    unloaded = staged && loads;
  }

  private boolean isScaledInput() {
    return space == Space.INPUT && beforehand != null;
  }

  private boolean mayStayIn(Object array) {
    return onArray != null
        && array != null
        && (beforehand == null || beforehand.appliesTo(array))
        && (afterwards == null || afterwards.appliesTo(array));
  }

  private void bindArray() {
    address = region.arrayOffset();
    piecesBytes = onArray.pieceBytes();
    pieces = pool.take(piecesBytes);
    onArray.open(region, pieces);
    inArray = true;
    staged = false;
    window.wrap(region.array(), address, bytes);
  }

  private void openMirror() {
    if (mirror == null) {
      mirror = new Mirror(schedule, space, beforehand, afterwards);
    }
    piecesBytes = mirror.piecesBytes();
    pieces = pool.take(piecesBytes);
    mirror.open(region, address, pieces);
    mirrored = true;
    staged = false;
  }

  /** Lies in memory of the pool. */
  void bindScratch() {
    take(scratchBytes);
    window.wrap(address, scratchBytes, null);
  }

  private void take(long bytes) {
    address = pool.take(bytes);
    pooledBytes = bytes;
  }

  /** Loads what is staged as a whole, and scales a contribution that lies where the result will. */
  void prepare() {
    if (staged) {
      if (window != null) { // else it is loaded when it is used, see place
        load(0, address, bytes);
      }
    } else if (mirrored && space == Space.OUTPUT && changesUnwritten()) {
      mirror.passUntouched();
    } else if (beforehand != null && space == Space.OUTPUT && region != null && !mirrored) {
      scale(beforehand);
    }
  }

  private void loadNow() {
    unloaded = false;
    load(0, address, bytes);
  }

  private boolean changesUnwritten() {
    return changesWhatLiesThere || region.changesWhatPasses();
  }

  /** Copies a range of what is staged as a whole to an address, scaled. */
  void load(long offset, long target, long length) {
    region.load(offset, target, length);
    if (beforehand != null) {
      beforehand.apply(target, length);
    }
  }

  /** Scales the result, and stores what is staged as a whole; what is mirrored has been already. */
  void complete() {
    if (region == null || mirrored || space != Space.OUTPUT) {
      return;
    }
    if (unloaded && (afterwards != null || changesUnwritten())) {
      loadNow();
    }
    if (afterwards != null) {
      scale(afterwards);
    }
    if (staged && !unloaded && (isWritten || afterwards != null || changesUnwritten())) {
      region.store(address, 0, bytes);
    }
  }

  private void scale(Scaling scaling) {
    if (inArray) {
      scaling.apply(region.array(), address, bytes);
    } else {
      scaling.apply(address, bytes);
    }
  }

  /** Lets go of the memory. */
  void release() {
    if (window != null) {
      window.close();
    }
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
    staged = false;
    unloaded = false;
    region = null;
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

  /** Whether it lies in a mirror, and operations load what they need for what they write. */
  boolean isMirrored() {
    return mirrored;
  }

  /** Whether it is staged, and its bytes are still where the caller has them: see {@link #load}. */
  boolean isUnloaded() {
    return unloaded;
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
    } else {
      if (unloaded) {
        loadNow();
      }
      Plan.write(target, address + offset, length, onto);
    }
  }

  /** An operation is about to use the range, which it overwrites or not. */
  void before(long offset, long length, boolean overwrites) {
    if (mirrored) {
      mirror.before(offset, length, overwrites);
    } else if (unloaded) {
      unloaded = false;
      if (!overwrites || length < bytes) {
        load(0, address, bytes);
      }
    }
  }

  /** An operation that used the range has completed. */
  void after(long offset, long length) {
    if (mirrored) {
      mirror.after(offset, length);
    }
  }
}
