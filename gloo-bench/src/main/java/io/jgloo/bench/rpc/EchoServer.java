package io.jgloo.bench.rpc;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rpc.RpcRegistry.Execution;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The process that is called. */
final class EchoServer {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** In classes of their own, which the profile grpc builds. */
  private static final String GRPC = "io.jgloo.bench.rpc.GrpcLibrary";

  private EchoServer() {}

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

  public static void main(String[] arguments) throws IOException {
    TcpStore store = Stores.connect("127.0.0.1", Integer.parseInt(arguments[0]), PATIENCE);
    for (EchoLibrary library : libraries()) {
      library.serve(store);
    }
    Child.haltAtEndOfInput(ExitCode.VERIFIED);
  }
}
