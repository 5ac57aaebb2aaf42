package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.AsyncEvent;
import io.jgloo.transport.ibverbs.verbs.Verbs;
import io.jgloo.transport.ibverbs.verbs.VerbsException;
import io.jgloo.transport.tcp.TcpProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One port of an RDMA adapter and the meshes reached through it.
 *
 * <p><i>Owns</i>: the adapter, a TCP device by which ranks meet, and its meshes.
 */
final class IbverbsDevice implements Device {

  private static final Logger LOG = System.getLogger(IbverbsDevice.class.getName());

  private final Adapter adapter;
  private final Device inner;
  private final Set<IbverbsMesh> meshes = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private boolean released;

  public IbverbsDevice(Verbs verbs, IbverbsAttributes attributes) {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new UnavailableException("the wire format is little-endian, this machine is not");
    }
    adapter = new Adapter(verbs, attributes);
    Device opened = null;
    try {
      opened = new TcpProvider().open(attributes.bootstrap());
    } finally {
      if (opened == null) {
        adapter.close();
      }
    }
    inner = opened;
  }

  @Override
  public String name() {
    return IbverbsProvider.NAME;
  }

  @Override
  public Clock clock() {
    return Clock.SYSTEM;
  }

  @Override
  public Optional<JobSecret> secret() {
    return inner.secret();
  }

  @Override
  public Mesh newMesh(Membership membership) {
    checkOpen();
    Mesh tcp = inner.newMesh(membership);
    IbverbsMesh mesh = null;
    try {
      mesh = new IbverbsMesh(this, tcp);
    } finally {
      if (mesh == null) {
        tcp.close();
      }
    }
    meshes.add(mesh);
    if (closed) {
      mesh.close();
      checkOpen();
    }
    return mesh;
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
  }

  @Override
  public Liveness liveness(Address address, Duration timeout) {
    return inner.liveness(Bootstrap.unwrap(address), timeout);
  }

  @Override
  public void close() {
    closed = true;
    meshes.forEach(IbverbsMesh::close);
    inner.close();
    releaseIfUnused();
  }

  /** A mesh that a thread makes progress for uses the adapter until that thread returns. */
  private synchronized void releaseIfUnused() {
    if (closed && meshes.isEmpty() && !released) {
      released = true;
      adapter.close();
    }
  }

  // What meshes need.

  Adapter adapter() {
    return adapter;
  }

  void forget(IbverbsMesh mesh) {
    meshes.remove(mesh);
    releaseIfUnused();
  }

  /** Reads the adapter's events and passes them to the meshes. */
  void lookAtEvents() {
    Verbs verbs = adapter.verbs();
    synchronized (this) {
      try {
        for (AsyncEvent event = next(verbs); event != null; event = next(verbs)) {
          String text = verbs.eventText(event.type());
          LOG.log(Level.INFO, "{0}: {1} (event {2})", this, text, event.type());
          for (IbverbsMesh mesh : meshes) {
            mesh.ending().event(event, text);
          }
        }
      } catch (VerbsException e) {
        LOG.log(Level.WARNING, "{0} cannot read its events: {1}", this, e.getMessage());
      }
    }
  }

  private AsyncEvent next(Verbs verbs) throws VerbsException {
    return released ? null : verbs.nextAsyncEvent(adapter.context());
  }

  @Override
  public String toString() {
    return "ibverbs device " + adapter;
  }
}
