package io.jgloo.collectives.execution;

import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.kernel.Scaling;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.memory.Memory;

/**
 * One symbolic buffer of a plan, bound to memory while the plan runs.
 *
 * <p>Where the operation asks for it, contributions are scaled on their way in and results on their
 * way out: mirrored ones block by block, others in their place. An input is the caller's to read
 * only, so one that must be scaled is mirrored wherever it lies.
 *
 * <p><em>Threads</em>: as its plan. <em>Owns</em>: what it took from the pool, until released.
 */
final class Operand {

  private final Schedule schedule;
  private final Space space;
  private final Scaling beforehand;
  private final Scaling afterwards;
  private final StagingPool pool;
  private final Buffer window;
  private final AddressedMemory addressed = new AddressedMemory();
  private Mirror mirror; // made when the operand first lies on the heap
  private boolean mirrored;
  private boolean passes;
  private long address;
  private long bytes;
  private long pooledBytes;
  private Object keepAlive;

  Operand(PlanFamily family, Space space, StagingPool pool, Mesh mesh) {
    schedule = family.schedule();
    this.space = space;
    this.pool = pool;
    boolean contributes = space == family.contribution();
    beforehand = contributes ? family.beforehand() : null;
    afterwards = space == Space.OUTPUT ? family.afterwards() : null;
    window = mesh.newBuffer();
  }

  /** Memory at an address, copied from as if it had none. */
  private static final class AddressedMemory implements Staged {
    private long address;

    @Override
    public void load(long offset, long target, long bytes) {
      Memory.copy(address + offset, target, bytes);
    }

    @Override
    public void store(long source, long offset, long bytes) {
      throw new IllegalStateException("the caller's input is read only");
    }
  }

  /** Lies where the caller says, or in a mirror of that. */
  void bind(Region region) {
    address = region.address();
    bytes = region.bytes();
    keepAlive = region.keepAlive();
    Staged staged = region.staged();
    if (staged == null && space == Space.INPUT && beforehand != null) {
      addressed.address = address;
      staged = addressed;
    }
    if (staged != null && bytes > 0) {
      take(bytes);
      if (mirror == null) {
        mirror = new Mirror(schedule, space, beforehand, afterwards);
      }
      passes = staged.changesWhatPasses();
      mirror.open(staged, address, bytes);
      mirrored = true;
    }
    window.wrap(address, bytes, keepAlive);
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
    if (mirrored && space == Space.OUTPUT && (beforehand != null || passes)) {
      mirror.passUntouched();
    } else if (beforehand != null && space == Space.OUTPUT) {
      beforehand.apply(address, bytes);
    }
  }

  /** Scales the result; what is mirrored has been already. */
  void complete() {
    if (afterwards != null && !mirrored) {
      afterwards.apply(address, bytes);
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
    address = 0;
    bytes = 0;
    keepAlive = null;
  }

  Buffer window() {
    return window;
  }

  long address() {
    return address;
  }

  /** What the caller's memory needs to stay allocated; whoever holds this operand holds it too. */
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
