package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.rendezvous.store.tcp.StoreServer;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Liveness;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Ranks meet in each store, also by a device that cannot check the liveness of a peer. */
final class ContextTest {
  private static Device tcp() {
    return Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
  }

  @Nested
  final class InHashStore extends ContextContract {
    private final HashStore store = new HashStore(LONG);

    @Override
    protected Store openStore() {
      return new PrefixStore("job", store);
    }

    @Override
    protected Device openDevice() {
      return tcp();
    }
  }

  @Nested
  final class InFileStore extends ContextContract {
    @TempDir Path directory;

    @Override
    protected Store openStore() {
      return new FileStore(directory, LONG);
    }

    @Override
    protected Device openDevice() {
      return tcp();
    }
  }

  @Nested
  final class InTcpStore extends ContextContract {
    private final StoreServer server =
        StoreServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);

    @Override
    protected Store openStore() {
      return TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
    }

    @Override
    protected Device openDevice() {
      return tcp();
    }

    @Override
    protected void dispose() {
      server.close();
    }
  }

  @Nested
  final class ByADeviceThatCannotTell extends ContextContract {
    private final HashStore store = new HashStore(LONG);

    @Override
    protected Store openStore() {
      return new PrefixStore("job", store);
    }

    @Override
    protected Device openDevice() {
      return new Ignorant(tcp());
    }

    @Override
    protected boolean tellsLiveness() {
      return false;
    }
  }

  /** A device whose network drops liveness probes. */
  private record Ignorant(Device device) implements Device {
    @Override
    public String name() {
      return device.name();
    }

    @Override
    public Clock clock() {
      return device.clock();
    }

    @Override
    public Mesh newMesh(Membership membership) {
      return device.newMesh(membership);
    }

    @Override
    public Liveness liveness(Address address, Duration timeout) {
      return Liveness.UNKNOWN;
    }

    @Override
    public void close() {
      device.close();
    }
  }
}
