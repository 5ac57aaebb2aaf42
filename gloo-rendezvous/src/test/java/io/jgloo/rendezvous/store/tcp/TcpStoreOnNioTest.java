package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreContract;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** {@link TcpStoreClient} keeps the contract where there is no epoll. */
final class TcpStoreOnNioTest extends StoreContract {
  private final StoreServer server =
      StoreServer.startOnNio(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);

  @Override
  protected Store open() {
    return TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
  }

  @Override
  protected void dispose() {
    server.close();
  }
}
