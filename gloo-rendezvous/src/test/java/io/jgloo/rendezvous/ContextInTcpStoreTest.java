package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.ExtendedStore;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.store.tcp.StoreServer;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.transport.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Ranks meet in a store on TCP. */
final class ContextInTcpStoreTest extends ContextContract {
  private final StoreServer server =
      StoreServer.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);

  @Override
  protected ExtendedStore openStore() {
    return TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
  }

  @Override
  protected boolean waitsForDeadlines() {
    return Boolean.getBoolean("jgloo.test.full");
  }

  @Override
  protected Device openDevice() {
    return ContextTest.tcp();
  }

  @Override
  protected void dispose() {
    server.close();
  }
}
