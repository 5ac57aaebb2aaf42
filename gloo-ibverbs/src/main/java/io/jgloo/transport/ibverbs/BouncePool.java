package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import io.jgloo.transport.memory.Memory;

/**
 * Pinned segments that bytes are copied through where user memory is not registered.
 *
 * <p>A mesh has two: one to send from, whose segments come back as soon as the device has read
 * them, and one to receive into, whose segments come back when the peer has written. With one for
 * both, two ranks that each hold all of it for receiving would wait for each other.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: its memory, made at first use.
 */
final class BouncePool {

  /** Half the second-level cache of today's cores; larger ones were not faster to copy through. */
  static final int SEGMENT_BYTES = 256 << 10;

  private final Adapter adapter;
  private final String what;
  private final int count;
  private final long[] free;
  private int freeCount;
  private long memory;
  private MemoryRegion region;

  BouncePool(Adapter adapter, String what) {
    this.adapter = adapter;
    this.what = what;
    count = (int) (adapter.settings().bounceBytes() / SEGMENT_BYTES);
    free = new long[count];
  }

  /** Bytes it pins once it is used. */
  long bytes() {
    return (long) count * SEGMENT_BYTES;
  }

  /**
   * Pins its memory, before there is a peer that could be let down.
   *
   * @throws io.jgloo.transport.UnavailableException if that is not allowed
   */
  void open() {
    memory = Memory.allocate(bytes(), 4096);
    region =
        adapter.pin(memory, bytes(), MemoryRegion.LOCAL_WRITE | MemoryRegion.REMOTE_WRITE, what);
    for (int i = count - 1; i >= 0; i--) {
      free[freeCount++] = memory + (long) i * SEGMENT_BYTES;
    }
  }

  /** Address of a segment, or 0 if all are in use. */
  long take() {
    return freeCount == 0 ? 0 : free[--freeCount];
  }

  boolean isEmpty() {
    return freeCount == 0;
  }

  void giveBack(long segment) {
    free[freeCount++] = segment;
  }

  int localKey() {
    return region.localKey();
  }

  int remoteKey() {
    return region.remoteKey();
  }

  /** No queue pair uses it any more. */
  void close() {
    if (region != null) {
      adapter.unpin(region);
      region = null;
    }
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
    }
    freeCount = 0;
  }
}
