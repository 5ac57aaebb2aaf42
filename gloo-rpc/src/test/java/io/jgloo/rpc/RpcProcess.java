package io.jgloo.rpc;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An agent in a process of its own, with and without references, for tests that kill and stop it.
 */
final class RpcProcess {

  /** Process id of the callee. */
  static final RpcFunction<Void, Long> PID = new RpcFunction<>("pid", Codecs.NOTHING, Codecs.LONG);

  /** Number of runs of this body in the callee's process so far. */
  static final RpcFunction<Void, Long> COUNT =
      new RpcFunction<>("count", Codecs.NOTHING, Codecs.LONG);

  /** Runs until its process ends. */
  static final RpcFunction<Long, Long> HANG = new RpcFunction<>("hang", Codecs.LONG, Codecs.LONG);

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

  static final Codec<RRef<Long>> REF = RRefs.codec(Codecs.LONG);

  /** Twice the argument. */
  static final RpcFunction<Long, Long> TWICE = new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);

  /** Keeps the reference until the process ends, and returns its value. */
  static final RpcFunction<RRef<Long>, Long> KEEP = new RpcFunction<>("keep", REF, Codecs.LONG);

  /** Calls {@link #RUN} of the caller with this number. */
  static final RpcFunction<Long, Void> FORWARD =
      new RpcFunction<>("forward", Codecs.LONG, Codecs.NOTHING);

  /** What {@link #FORWARD} calls; the test registers it. */
  static final RpcFunction<Long, Void> RUN = new RpcFunction<>("run", Codecs.LONG, Codecs.NOTHING);

  /** Reads the reference and closes it. */
  static final RpcFunction<RRef<Long>, Long> READ = new RpcFunction<>("read", REF, Codecs.LONG);

  /** Closes the references that are kept; returns the number of entries that are left. */
  static final RpcFunction<Void, Long> DROP =
      new RpcFunction<>("drop", Codecs.NOTHING, Codecs.LONG);

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
    return references(new CopyOnWriteArrayList<>())
        .register(PID, (context, nothing) -> ProcessHandle.current().pid())
        .register(COUNT, (context, nothing) -> runs.incrementAndGet())
        .register(
            HANG,
            (context, value) -> {
              new CountDownLatch(1).await();
              return value;
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

  /**
   * @param kept where references are kept
   */
  static RpcRegistry references(List<RRef<Long>> kept) {
    return new RpcRegistry()
        .register(TWICE, (context, value) -> 2 * value)
        .register(
            FORWARD, (context, value) -> context.agent().rpcSync(context.caller(), RUN, value))
        .register(
            READ,
            ref -> {
              try (ref) {
                return ref.toHere();
              }
            })
        .register(
            DROP,
            (context, nothing) -> {
              kept.forEach(RRef::close);
              kept.clear();
              return context
                  .agent()
                  .rrefs()
                  .tables()
                  .read(t -> (long) t.users().size() + t.owners().size() + t.outbox().size());
            })
        .register(
            KEEP,
            (context, ref) -> {
              kept.add(ref);
              return ref.toHere();
            });
  }
}
