package io.jgloo.rpc;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.CodecException;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.Clock;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.library.VirtualThreads;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One agent of a group, which calls functions of the others and runs its own for them.
 *
 * <p>A call has one of these outcomes: the result; {@link RemoteCallException}: the body threw;
 * {@link NotExecutedException}: the body did not run and will not; {@link
 * io.jgloo.rpc.agent.OutcomeUnknownException}: it may have run, once. No call runs a body twice.
 *
 * <p><i>Threads</i>: any, except that a body of {@link RpcRegistry.Execution#DIRECT} must not wait.
 * <i>Owns</i>: its messenger and its workers; not the store.
 */
public final class RpcAgent implements AutoCloseable {

  /** The messenger's service that calls go to. */
  public static final int SERVICE = 1;

  private static final int COMPLETION_THREADS = 2;

  private final Messenger messenger;
  private final RpcOptions options;
  private final Workers workers;

  /** Run what users add to futures; bodies that wait must not keep these from it. */
  private final Workers completions;

  private RpcAgent(String name, int rank, int size, Store store, RpcOptions options) {
    this.options = options;
    messenger = new Messenger(name, rank, size, store, options.messenger());
    workers = new Workers("jgloo-rpc-" + name, options.workers(), true);
    completions = new Workers("jgloo-rpc-" + name + "-completion", COMPLETION_THREADS, true);
  }

  /**
   * Starts an agent, and waits until all others have started.
   *
   * @param name 1 to 128 letters, digits and {@code - _ : .}; unique in the group
   * @param rank 0 to size - 1
   * @param size number of agents
   * @param store the same for all agents; stays open
   * @throws IllegalArgumentException if name, rank or size is out of range
   * @throws IllegalStateException if a living agent has this rank, or another rank this name
   * @throws JGlooException if the others do not come in time
   */
  public static RpcAgent start(String name, int rank, int size, Store store, RpcOptions options) {
    RpcAgent agent = new RpcAgent(name, rank, size, store, options);
    try {
      Messenger messenger = agent.messenger;
      RpcHost host = new RpcHost(agent, messenger, agent.workers, options.functions());
      messenger.serve(SERVICE, new RpcService(host, options.extension()));
      options.extension().attach(host);
      messenger.start();
      return agent;
    } catch (RuntimeException | Error e) {
      agent.close();
      throw e;
    }
  }

  // Who there is.

  /** Name of this agent. */
  public String name() {
    return messenger.name();
  }

  /** This life of this agent. */
  public AgentId self() {
    return messenger.self();
  }

  /**
   * The present life of an agent. A process started anew has another one: look again then.
   *
   * @throws NotExecutedException if no agent of that name is there
   */
  public AgentId peer(String itsName) {
    return messenger
        .agent(itsName)
        .orElseThrow(() -> new NotExecutedException("agent '" + itsName + "' is not there", null));
  }

  /** What carries the calls, for services and control messages beside them. */
  public Messenger messenger() {
    return messenger;
  }

  /** Counts of tables and traffic, by name, for tests and diagnosis. */
  public Map<String, Long> counts() {
    return messenger.counts();
  }

  /** Peers, calls and requests as text for people: what waits for what. */
  public String dump() {
    return messenger.dump();
  }

  // Calls.

  /** {@link #rpcSync(AgentId, RpcFunction, Object, Duration)} with the timeout of the options. */
  public <A, R> R rpcSync(AgentId to, RpcFunction<A, R> function, A argument) {
    return rpcSync(to, function, argument, options.timeout());
  }

  /**
   * Calls a function and waits for its result.
   *
   * @param argument blocks in it belong to the call
   * @param timeout how long it may take; positive
   * @return the result; blocks in it belong to the caller
   * @throws RemoteCallException if the body threw
   * @throws NotExecutedException if the body did not run and will not
   * @throws io.jgloo.rpc.agent.OutcomeUnknownException if it may have run
   * @throws InterruptedOperationException if the thread is interrupted, its flag stays set; the
   *     call is given up
   * @throws IllegalStateException in a body of {@link RpcRegistry.Execution#DIRECT}
   */
  public <A, R> R rpcSync(AgentId to, RpcFunction<A, R> function, A argument, Duration timeout) {
    if (messenger.isHandling()) {
      throw new IllegalStateException(
          "a direct body of agent " + name() + " must not wait for a call of " + function);
    }
    long nanos = nanos(timeout);
    long deadline = messenger.clock().nanoTime() + nanos;
    RpcExtension.Outgoing values = options.extension().outgoing(to);
    SyncReply reply = new SyncReply(values);
    PendingCall call = request(to, function, argument, deadline, values, reply);
    try {
      Workers.wait(() -> await(reply, deadline));
    } catch (InterruptedOperationException | PoolExhaustedException e) {
      call.cancel();
      throw e;
    }
    int status = reply.status(function.toString());
    RpcExtension.Incoming returned = options.extension().incoming(to);
    R result = result(to, function, status, reply.message(), returned);
    awaitUsable(returned, deadline);
    return result;
  }

  /** Waits until the values of a message can be used. */
  void awaitUsable(RpcExtension.Incoming values, long deadlineNanos) {
    CompletableFuture<Void> usable = new CompletableFuture<>();
    values.whenUsable(
        Runnable::run,
        () -> {
          usable.complete(null);
          messenger.wakeup();
        },
        cause -> {
          usable.completeExceptionally(cause);
          messenger.wakeup();
        });
    if (!await(usable, deadlineNanos)) {
      throw new OutcomeUnknownException("the values of a result cannot be used in time", null);
    }
    usable.exceptionally(
        cause -> {
          throw ((JGlooException) cause).again("a result of agent " + name());
        });
  }

  /** Waits until a future is done, and moves messages meanwhile. */
  boolean await(CompletableFuture<?> future, long deadlineNanos) {
    if (future.isDone()) {
      return true;
    }
    if (!VirtualThreads.isVirtualHere()) {
      return Workers.wait(() -> messenger.await(future::isDone, deadlineNanos));
    }
    try {
      future.get(deadlineNanos - messenger.clock().nanoTime(), TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("the waiting thread was interrupted", e);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  private Void await(SyncReply reply, long deadline) {
    if (reply.parks()) {
      reply.park();
    } else {
      while (!messenger.await(reply::isDone, deadline + Clock.nanos(Duration.ofSeconds(1)))) {
        messenger.wakeup(); // the timer that ends the call is late
      }
    }
    return null;
  }

  /** {@link #rpcAsync(AgentId, RpcFunction, Object, Duration)} with the timeout of the options. */
  public <A, R> CompletableFuture<R> rpcAsync(AgentId to, RpcFunction<A, R> function, A argument) {
    return rpcAsync(to, function, argument, options.timeout());
  }

  /**
   * Calls a function.
   *
   * @param argument blocks in it belong to the call
   * @param timeout how long it may take; positive
   * @return completes as {@link #rpcSync} returns or throws. Cancelling it gives the call up: the
   *     body does not begin if it has not. Actions added to it must not wait for other calls; use
   *     those that take an executor for such
   */
  public <A, R> CompletableFuture<R> rpcAsync(
      AgentId to, RpcFunction<A, R> function, A argument, Duration timeout) {
    long deadline = messenger.clock().nanoTime() + nanos(timeout);
    RpcExtension.Outgoing values = options.extension().outgoing(to);
    AsyncReply<R> reply = new AsyncReply<>(this, to, function, values);
    return reply.of(request(to, function, argument, deadline, values, reply));
  }

  private static long nanos(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive, but is " + timeout);
    }
    return Clock.nanos(timeout);
  }

  private <A> PendingCall request(
      AgentId to,
      RpcFunction<A, ?> function,
      A argument,
      long deadline,
      RpcExtension.Outgoing values,
      ReplyHandler reply) {
    MessageWriter out = new MessageWriter(64).attach(values);
    try {
      RpcHost.writeCall(function, argument, out);
      return messenger.request(to, SERVICE, out.message(), Priority.NORMAL, deadline, reply);
    } catch (RuntimeException | Error e) { // a value the codec does not know, too many blocks
      values.dropped();
      out.close();
      throw e;
    }
  }

  static <R> R result(
      AgentId to,
      RpcFunction<?, R> function,
      int status,
      Message reply,
      RpcExtension.Incoming values) {
    try {
      MessageReader in = new MessageReader(reply).attach(values);
      if (status == RpcService.THREW) {
        throw RpcHost.readFailure(to, function.toString(), in);
      }
      if (status != RpcService.RETURNED) {
        throw new CodecException("a reply of " + function + " has status " + status);
      }
      R result = function.result().read(in);
      in.end();
      return result;
    } catch (RuntimeException e) {
      reply.close();
      throw e;
    }
  }

  /** Runs what users have added to a future. */
  void complete(Runnable completion) {
    if (!completions.execute(completion)) {
      completion.run();
    }
  }

  RpcExtension extension() {
    return options.extension();
  }

  // The end.

  /**
   * Leaves the group together with all others: waits until this agent's calls have ended and all
   * other agents have called this method or are lost, and serves them meanwhile; then closes.
   *
   * @return whether that was so at the timeout; it is closed all the same
   */
  public boolean shutdown(Duration timeout) {
    long deadline = messenger.clock().nanoTime() + Clock.nanos(timeout);
    try {
      boolean settled = options.extension().settle(deadline);
      long left = Math.max(1, deadline - messenger.clock().nanoTime());
      return messenger.shutdown(Duration.ofNanos(left)) && settled;
    } finally {
      options.extension().close();
      workers.close();
      completions.close();
    }
  }

  /** Ends calls under way and closes. */
  @Override
  public void close() {
    messenger.close();
    options.extension().close();
    workers.close();
    completions.close();
  }
}
