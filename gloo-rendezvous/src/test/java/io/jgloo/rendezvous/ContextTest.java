package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.rendezvous.store.tcp.StoreServer;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Ranks meet in each store. */
final class ContextTest {
  static Device tcp() {
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
}
