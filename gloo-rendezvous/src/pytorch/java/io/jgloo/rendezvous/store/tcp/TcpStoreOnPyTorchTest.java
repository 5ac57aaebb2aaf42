package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreConcurrencyContract;
import org.junit.jupiter.api.Nested;

/** {@link TcpStoreClient} keeps the contract as a client of PyTorch's servers. */
final class TcpStoreOnPyTorchTest {
  /** The server that is PyTorch's default since 2.4. */
  @Nested
  final class Libuv extends StoreConcurrencyContract {
    private final GenuineStore server = GenuineStore.serve(true);

    @Override
    protected Store open() {
      return TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
    }

    @Override
    protected void dispose() {
      server.close();
    }
  }

  /** The server that was the default until 2.3. */
  @Nested
  final class Legacy extends StoreConcurrencyContract {
    private final GenuineStore server = GenuineStore.serve(false);

    @Override
    protected Store open() {
      return TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
    }

    @Override
    protected void dispose() {
      server.close();
    }
  }
}
