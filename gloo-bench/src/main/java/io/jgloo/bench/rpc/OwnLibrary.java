package io.jgloo.bench.rpc;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.RRef;
import io.jgloo.rpc.RRefs;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcFunction;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.RpcRegistry.Execution;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.transport.DeviceOptions;
import java.util.concurrent.Future;

/**
 * Calls of {@link RpcAgent}, and references of {@link RRefs}.
 *
 * @param execution where the body runs
 */
record OwnLibrary(Execution execution) implements EchoLibrary {

  private static final RpcFunction<byte[], byte[]> ECHO =
      new RpcFunction<>("echo", Codecs.BYTES, Codecs.BYTES);
  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);

  @Override
  public String name() {
    return execution == Execution.DIRECT ? "jgloo direct" : "jgloo";
  }

  @Override
  public void serve(Store store) {
    start(store, 1, "echo");
    start(store, 1, "references");
  }

  private RpcAgent start(Store store, int rank, String group) {
    RpcRegistry functions =
        new RpcRegistry()
            .register(ECHO, (context, bytes) -> bytes, execution)
            .register(TWICE, (context, value) -> 2 * value, execution);
    DeviceOptions loopback = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    return RpcAgent.start(
        rank == 0 ? "client" : "server",
        rank,
        2,
        store,
        RpcOptions.builder()
            .functions(functions)
            .messenger(
                MessengerOptions.builder()
                    .group(group + "-" + execution)
                    .device("tcp", loopback)
                    .build())
            .build());
  }

  @Override
  public Client connect(Store store) {
    RpcAgent agent = start(store, 0, "echo");
    RpcAgent holder = start(store, 0, "references");
    return new OwnClient(
        agent, agent.peer("server"), holder, holder.rrefs(), holder.peer("server"));
  }

  /** Calls of one agent, and references of another, so that neither slows the other. */
  private record OwnClient(
      RpcAgent agent, AgentId server, RpcAgent holder, RRefs refs, AgentId owner)
      implements Client {
    @Override
    public byte[] echo(byte[] bytes) {
      return agent.rpcSync(server, ECHO, bytes);
    }

    @Override
    public Future<byte[]> send(byte[] bytes) {
      return agent.rpcAsync(server, ECHO, bytes);
    }

    @Override
    public RRef<Long> make() {
      return refs.remote(owner, TWICE, 1L);
    }

    @Override
    public void close() {
      holder.close();
      agent.close();
    }
  }
}
