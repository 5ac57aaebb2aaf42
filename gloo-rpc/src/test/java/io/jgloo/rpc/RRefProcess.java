package io.jgloo.rpc;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** An agent with remote references in a process of its own, for tests that kill it. */
final class RRefProcess {

  static final Codec<RRef<Long>> REF = RRefs.codec(Codecs.LONG);

  /** Twice the argument. */
  static final RpcFunction<Long, Long> TWICE = new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);

  /** Runs until its process ends. */
  static final RpcFunction<Long, Long> HANG = new RpcFunction<>("hang", Codecs.LONG, Codecs.LONG);

  /** Keeps the reference until the process ends, and returns its value. */
  static final RpcFunction<RRef<Long>, Long> KEEP = new RpcFunction<>("keep", REF, Codecs.LONG);

  /** Makes this many values at the caller, and keeps the references. */
  static final RpcFunction<Long, Long> MAKE_AT_CALLER =
      new RpcFunction<>("make-at-caller", Codecs.LONG, Codecs.LONG);

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

  /** Lets the process leave the group and end with exit code 0. */
  static final RpcFunction<Void, Void> LEAVE =
      new RpcFunction<>("leave", Codecs.NOTHING, Codecs.NOTHING);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private RRefProcess() {}

  static ChildJvm start(int rank, int size, int storePort) throws IOException {
    return ChildJvm.start(RRefProcess.class, rank, size, storePort);
  }

  public static void main(String[] arguments) throws InterruptedException {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    CountDownLatch leave = new CountDownLatch(1);
    RpcRegistry functions =
        functions(new CopyOnWriteArrayList<>())
            .register(
                LEAVE,
                nothing -> {
                  leave.countDown();
                  return null;
                });
    ChildJvm.endWithTheParent();
    try (Store store = Stores.connect("127.0.0.1", Integer.parseInt(arguments[2]), PATIENCE);
        RpcAgent agent =
            RpcAgent.start(
                "a" + rank, rank, size, store, Group.options().functions(functions).build())) {
      System.out.println("agent " + agent.self() + " has started");
      leave.await();
      System.exit(agent.shutdown(PATIENCE) ? 0 : 1);
    }
  }

  /**
   * @param kept where references are kept
   */
  static RpcRegistry functions(List<RRef<Long>> kept) {
    return new RpcRegistry()
        .register(TWICE, (context, value) -> 2 * value)
        .register(
            HANG,
            (context, value) -> {
              new CountDownLatch(1).await();
              return value;
            })
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
            })
        .register(
            MAKE_AT_CALLER,
            (context, count) -> {
              long sum = 0;
              for (long i = 0; i < count; i++) {
                RRef<Long> ref = context.agent().rrefs().remote(context.caller(), TWICE, i);
                kept.add(ref);
                sum += ref.toHere();
              }
              return sum;
            });
  }
}
