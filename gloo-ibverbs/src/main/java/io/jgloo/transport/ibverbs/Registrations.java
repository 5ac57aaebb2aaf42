package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.ibverbs.OneSided.Registration;
import io.jgloo.transport.ibverbs.OneSided.RemoteKey;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * User memory that a mesh has registered: by the user, until released, or on the fly, as long as a
 * buffer stays where it is.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the regions.
 */
final class Registrations {

  private static final Logger LOG = System.getLogger(Registrations.class.getName());

  private static final int ACCESS =
      MemoryRegion.LOCAL_WRITE | MemoryRegion.REMOTE_WRITE | MemoryRegion.REMOTE_READ;

  private final IbverbsMesh mesh;
  private final Adapter adapter;
  private final TreeMap<Long, IbverbsRegistration> byAddress = new TreeMap<>();
  private final Set<IbverbsBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean logged;

  Registrations(IbverbsMesh mesh, Adapter adapter) {
    this.mesh = mesh;
    this.adapter = adapter;
  }

  /** The region of a request's memory, registered now if that is worth it; null to copy instead. */
  MemoryRegion find(EngineRequest request) {
    IbverbsBuffer buffer = (IbverbsBuffer) request.buffer();
    if (buffer.region != null) {
      return buffer.region;
    }
    IbverbsRegistration registered = covering(request.address(), request.length());
    if (registered != null) {
      return registered.region();
    }
    if (request.length() < mesh.settings().registerBytes() || buffer.refused) {
      return null;
    }
    try {
      return register(buffer);
    } catch (UnavailableException e) {
      buffer.refused = true;
      LOG.log(
          logged ? Level.DEBUG : Level.INFO,
          "{0} copies through pinned memory instead: {1}",
          mesh,
          e.getMessage());
      logged = true;
      return null;
    }
  }

  /**
   * The region of a request's memory, which must have one.
   *
   * @throws UnavailableException if it cannot be registered
   */
  MemoryRegion require(EngineRequest request) {
    IbverbsBuffer buffer = (IbverbsBuffer) request.buffer();
    if (buffer.region != null) {
      return buffer.region;
    }
    IbverbsRegistration registered = covering(request.address(), request.length());
    return registered != null ? registered.region() : register(buffer);
  }

  private MemoryRegion register(IbverbsBuffer buffer) {
    buffer.region = adapter.pin(buffer.address(), buffer.length(), ACCESS, "a buffer of " + mesh);
    buffers.add(buffer);
    return buffer.region;
  }

  private IbverbsRegistration covering(long address, long length) {
    if (byAddress.isEmpty()) {
      return null;
    }
    Map.Entry<Long, IbverbsRegistration> entry = byAddress.floorEntry(address);
    boolean covers =
        entry != null && address - entry.getKey() <= entry.getValue().region().length() - length;
    return covers ? entry.getValue() : null;
  }

  /** Registers for the user; the lock is held. */
  IbverbsRegistration register(long address, long length, Object keepAlive) {
    if (byAddress.containsKey(address)) {
      throw new IllegalArgumentException(
          "address 0x" + Long.toHexString(address) + " is registered already");
    }
    MemoryRegion region = adapter.pin(address, length, ACCESS, "a registration of " + mesh);
    IbverbsRegistration registration = new IbverbsRegistration(mesh, region, keepAlive);
    byAddress.put(address, registration);
    return registration;
  }

  /** The user gives a registration up; the lock is held. */
  void release(IbverbsRegistration registration) {
    if (byAddress.remove(registration.address(), registration)) {
      adapter.unpin(registration.region());
    }
  }

  /** A buffer is moved or closed. */
  void release(IbverbsBuffer buffer) {
    if (buffer.region == null && !buffer.refused) {
      return; // one thread at a time uses a buffer: no other thread can have set them
    }
    mesh.lock();
    try {
      buffer.refused = false;
      if (buffer.region != null) {
        MemoryRegion region = buffer.region;
        buffer.region = null;
        buffers.remove(buffer);
        adapter.unpin(region);
      }
    } finally {
      mesh.unlock();
    }
  }

  /** No queue pair uses any of it any more; the lock is held. */
  void close() {
    for (IbverbsBuffer buffer : buffers) {
      adapter.unpin(buffer.region);
      buffer.region = null;
    }
    buffers.clear();
    byAddress.values().forEach(registration -> adapter.unpin(registration.region()));
    byAddress.clear();
  }

  /** Memory a user has registered with a mesh. */
  static final class IbverbsRegistration implements Registration {
    private final IbverbsMesh mesh;
    private final MemoryRegion region;
    private final Object keepAlive;

    IbverbsRegistration(IbverbsMesh mesh, MemoryRegion region, Object keepAlive) {
      this.mesh = mesh;
      this.region = region;
      this.keepAlive = keepAlive;
    }

    MemoryRegion region() {
      return region;
    }

    @Override
    public long address() {
      return region.address();
    }

    @Override
    public long length() {
      return region.length();
    }

    @Override
    public Object keepAlive() {
      return keepAlive;
    }

    @Override
    public RemoteKey remoteKey() {
      return new RemoteKey(mesh.rank(), region.address(), region.length(), region.remoteKey());
    }

    @Override
    public void close() {
      mesh.release(this);
    }
  }
}
