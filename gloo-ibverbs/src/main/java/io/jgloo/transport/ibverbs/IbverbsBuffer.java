package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;

/**
 * A window on memory, and its registration while it has one.
 *
 * <p>Memory is registered when the first long message from or into it is met, and no longer than
 * until the window is moved: what lies at an address after that may be other memory, although the
 * address is the same, and the device would go on with the old.
 */
final class IbverbsBuffer extends Buffer {

  private final Registrations registrations;

  /** Guarded by the mesh's lock. */
  MemoryRegion region;

  /** Guarded by the mesh's lock: registering was refused, so it is not tried again. */
  boolean refused;

  IbverbsBuffer(Registrations registrations) {
    this.registrations = registrations;
  }

  @Override
  public Buffer wrap(long address, long length, Object keepAlive) {
    registrations.release(this);
    return super.wrap(address, length, keepAlive);
  }

  @Override
  public void close() {
    registrations.release(this);
    super.close();
  }
}
