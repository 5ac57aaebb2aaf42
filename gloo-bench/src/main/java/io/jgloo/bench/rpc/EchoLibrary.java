package io.jgloo.bench.rpc;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.RRef;
import java.io.IOException;
import java.util.concurrent.Future;

/** A way to call a function of another process that returns its argument. */
interface EchoLibrary {

  /** The calling side. */
  interface Client extends AutoCloseable {
    /** Calls, and waits for the result. */
    byte[] echo(byte[] bytes) throws IOException;

    /** Calls, and does not wait. */
    Future<byte[]> send(byte[] bytes);

    /** Has the server make a value of 8 bytes, and does not wait; null if it cannot. */
    default RRef<Long> make() {
      return null;
    }

    @Override
    void close();
  }

  /** What reports call it. */
  String name();

  /** Serves calls until the process ends; where, it puts into the store. */
  void serve(Store store) throws IOException;

  /** Connects to the server that uses the same store. */
  Client connect(Store store) throws IOException;
}
