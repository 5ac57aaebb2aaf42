package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreContract;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.tls.TlsContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@link TcpStoreClient} keeps the contract over TLS: waits, long values, closing. */
final class TcpStoreTlsTest extends StoreContract {
  private static final StoreCredentials CLIENT = rank(1); // keys take time to make

  private final StoreServer server =
      StoreServer.start(
          List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
          TcpStoreLimits.DEFAULT,
          StoreGuard.of(rank(0)));

  private static StoreCredentials rank(int rank) {
    return new StoreCredentials(Optional.empty(), Optional.of(Certificates.of(rank)));
  }

  @Override
  protected Store open() {
    return TcpStoreClient.connect("127.0.0.1", server.port(), LONG, CLIENT);
  }

  @Override
  protected void dispose() {
    server.close();
  }

  /** The module's build runs this class twice, see its pom.xml. */
  @Test
  void engineOfThisRun_isTheOneThatItIsFor() {
    boolean jdk = Boolean.getBoolean("io.netty.handler.ssl.noOpenSsl");
    assertEquals(jdk, TlsContext.engine().contains("JDK"), TlsContext.engine());
  }
}
