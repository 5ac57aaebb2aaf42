package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ibverbs.OneSided.Registration;
import io.jgloo.transport.ibverbs.OneSided.RemoteKey;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;

/** Memory a user has registered with a mesh. */
final class IbverbsRegistration implements Registration {

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
