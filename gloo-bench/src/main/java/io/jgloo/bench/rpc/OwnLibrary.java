package io.jgloo.bench.rpc;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcFunction;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.RpcRegistry.Execution;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.message.AgentId;
import io.jgloo.transport.DeviceOptions;
import java.util.concurrent.Future;

/**
 * Calls of {@link RpcAgent}.
 *
 * @param execution where the body runs
 */
record OwnLibrary(Execution execution) implements EchoLibrary {

  private static final RpcFunction<byte[], byte[]> ECHO =
      new RpcFunction<>("echo", Codecs.BYTES, Codecs.BYTES);

  @Override
  public String name() {
    return execution == Execution.DIRECT ? "jgloo direct" : "jgloo";
  }

  @Override
  public void serve(Store store) {
    start(store, 1);
  }

  private RpcAgent start(Store store, int rank) {
    RpcOptions options = RpcOptions.DEFAULTS;
    RpcRegistry functions = new RpcRegistry().register(ECHO, (context, bytes) -> bytes, execution);
    DeviceOptions loopback = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    return RpcAgent.start(
        rank == 0 ? "client" : "server",
        rank,
        2,
        store,
        options
            .withFunctions(functions)
            .withMessenger(
                options.messenger().withGroup("echo-" + execution).withDevice("tcp", loopback)));
  }

  @Override
  public Client connect(Store store) {
    RpcAgent agent = start(store, 0);
    AgentId server = agent.peer("server");
    return new Client() {
      @Override
      public byte[] echo(byte[] bytes) {
        return agent.rpcSync(server, ECHO, bytes);
      }

      @Override
      public Future<byte[]> send(byte[] bytes) {
        return agent.rpcAsync(server, ECHO, bytes);
      }

      @Override
      public void close() {
        agent.close();
      }
    };
  }
}
