package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import io.jgloo.transport.memory.Memory;

/**
 * The pinned memory of a mesh's rings: for each peer slots to send from and slots to receive into.
 *
 * <p>One region for all peers: a device has more room for bytes than for regions. <i>Owns</i>: the
 * memory and its region.
 */
final class Slab {

  private static final long PAGE_BYTES = 4096;

  private final Adapter adapter;
  private final long bytesPerPeer;
  private final long memory;
  private final MemoryRegion region;

  /**
   * @throws io.jgloo.transport.UnavailableException if that much memory may not be pinned
   */
  Slab(Adapter adapter, int peers, String what) {
    this.adapter = adapter;
    Settings settings = adapter.settings();
    bytesPerPeer = 2L * settings.depth() * settings.slotBytes();
    long bytes = bytesPerPeer * peers;
    memory = Memory.allocate(bytes, PAGE_BYTES);
    MemoryRegion pinned = null;
    try {
      pinned = adapter.pin(memory, bytes, MemoryRegion.LOCAL_WRITE, what);
    } finally {
      if (pinned == null) {
        Memory.free(memory);
      }
    }
    region = pinned;
  }

  /** First slot to send from to the peer of this place. */
  long sendSlots(int place) {
    return memory + place * bytesPerPeer;
  }

  /** First slot to receive into. */
  long receiveSlots(int place) {
    return sendSlots(place) + bytesPerPeer / 2;
  }

  int localKey() {
    return region.localKey();
  }

  void close() {
    adapter.unpin(region);
    Memory.free(memory);
  }
}
