package io.jgloo.collectives;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.Mesh;

/**
 * One symbolic buffer of a plan, bound to memory while the plan runs.
 *
 * <p><em>Threads</em>: as its plan. <em>Owns</em>: what it took from the pool, until released.
 */
final class Operand {

  private final Schedule schedule;
  private final Space space;
  private final StagingPool pool;
  private final Buffer window;
  private Mirror mirror; // made when the operand first lies on the heap
  private boolean mirrored;
  private long address;
  private long pooledBytes;
  private Object keepAlive;

  Operand(Schedule schedule, Space space, StagingPool pool, Mesh mesh) {
    this.schedule = schedule;
    this.space = space;
    this.pool = pool;
    window = mesh.newBuffer();
  }

  /** Lies where the caller says, or in a mirror of that. */
  void bind(Region region, Run run) {
    address = region.address();
    keepAlive = region.keepAlive();
    if (region.staged() != null && region.bytes() > 0) {
      take(region.bytes());
      if (mirror == null) {
        mirror = new Mirror(schedule, space);
      }
      mirror.open(region.staged(), address, region.bytes());
      mirrored = true;
    }
    window.wrap(address, region.bytes(), run);
  }

  /** Lies in memory of the pool. */
  void bindScratch(Run run) {
    take(schedule.scratchBytes());
    window.wrap(address, schedule.scratchBytes(), run);
  }

  private void take(long bytes) {
    address = pool.take(bytes);
    pooledBytes = bytes;
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
