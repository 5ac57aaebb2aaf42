package io.jgloo.rpc;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.codec.Codecs;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** An agent in a process of its own, for tests that kill and stop it. */
final class RpcProcess {

  /** Process id of the callee. */
  static final RpcFunction<Void, Long> PID = new RpcFunction<>("pid", Codecs.NOTHING, Codecs.LONG);

  /** Number of runs of this body in the callee's process so far. */
  static final RpcFunction<Void, Long> COUNT =
      new RpcFunction<>("count", Codecs.NOTHING, Codecs.LONG);

  /** Runs until its process ends. */
  static final RpcFunction<Void, Void> HANG =
      new RpcFunction<>("hang", Codecs.NOTHING, Codecs.NOTHING);

  /** Ends the process of the callee as SIGKILL does. */
  static final RpcFunction<Void, Void> HALT =
      new RpcFunction<>("halt", Codecs.NOTHING, Codecs.NOTHING);

  /** Calls {@link #HOLD} of the caller this often, and does not wait for the results. */
  static final RpcFunction<Integer, Void> CALL_BACK =
      new RpcFunction<>("call-back", Codecs.INT, Codecs.NOTHING);

  /** What {@link #CALL_BACK} calls; the test registers it. */
  static final RpcFunction<Void, Void> HOLD =
      new RpcFunction<>("hold", Codecs.NOTHING, Codecs.NOTHING);

  /** Lets the process leave the group and end with exit code 0. */
  static final RpcFunction<Void, Void> LEAVE =
      new RpcFunction<>("leave", Codecs.NOTHING, Codecs.NOTHING);

  private static final Duration STORE = Duration.ofSeconds(30);

  private RpcProcess() {}

  static ChildJvm start(int rank, int size, int storePort) throws IOException {
    return ChildJvm.start(RpcProcess.class, rank, size, storePort);
  }

  public static void main(String[] arguments) throws InterruptedException {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    CountDownLatch leave = new CountDownLatch(1);
    ChildJvm.endWithTheParent();
    try (Store store = Stores.connect("127.0.0.1", Integer.parseInt(arguments[2]), STORE);
        RpcAgent agent =
            RpcAgent.start(
                "a" + rank,
                rank,
                size,
                store,
                Agents.options().functions(functions(leave)).build())) {
      leave.await();
      System.exit(agent.shutdown(STORE) ? 0 : 1);
    }
  }

  private static RpcRegistry functions(CountDownLatch leave) {
    AtomicLong runs = new AtomicLong();
    return new RpcRegistry()
        .register(PID, (context, nothing) -> ProcessHandle.current().pid())
        .register(COUNT, (context, nothing) -> runs.incrementAndGet())
        .register(
            HANG,
            (context, nothing) -> {
              new CountDownLatch(1).await();
              return null;
            })
        .register(
            HALT,
            (context, nothing) -> {
              Runtime.getRuntime().halt(137);
              return null;
            })
        .register(
            CALL_BACK,
            (context, times) -> {
              for (int i = 0; i < times; i++) {
                CompletableFuture<Void> unused =
                    context.agent().rpcAsync(context.caller(), HOLD, null);
              }
              return null;
            })
        .register(
            LEAVE,
            (context, nothing) -> {
              leave.countDown();
              return null;
            });
  }
}
