package io.jgloo.bench.rpc;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.RRef;
import io.jgloo.rpc.RpcRegistry.Execution;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** A way to call a function of another process that returns its argument. */
interface EchoLibrary {
  Duration PATIENCE = Duration.ofSeconds(60);

  /** In a class of its own, which the profile grpc builds. */
  String GRPC = "io.jgloo.bench.rpc.GrpcLibrary";

  /** What there is to measure. */
  static List<EchoLibrary> libraries() {
    List<EchoLibrary> libraries = new ArrayList<>();
    libraries.add(new OwnLibrary(Execution.WORKER));
    libraries.add(new OwnLibrary(Execution.DIRECT));
    try {
      Class<?> grpc = Class.forName(GRPC);
      for (boolean direct : new boolean[] {false, true}) {
        libraries.add((EchoLibrary) grpc.getDeclaredConstructor(boolean.class).newInstance(direct));
      }
    } catch (ClassNotFoundException e) {
      // It was not built: ours are measured alone.
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(GRPC + " does not fit this class", e);
    }
    return libraries;
  }

  /** The process that is called. */
  static void main(String[] arguments) throws IOException {
    TcpStore store = Stores.connect("127.0.0.1", Integer.parseInt(arguments[0]), PATIENCE);
    for (EchoLibrary library : libraries()) {
      library.serve(store);
    }
    Child.haltAtEndOfInput(ExitCode.VERIFIED);
  }

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
