package io.jgloo.rpc;

import io.jgloo.rendezvous.Launch;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.Clock;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.library.VirtualThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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
  static final int SERVICE = 1;

  private static final int RETURNED = 0;
  private static final int THREW = 1;

  private static final int COMPLETION_THREADS = 2;

  /** More threads only wake each other: those beyond leave the messages to the others. */
  private static final int MOST_DRIVERS = 8;

  private static final long NO_LIMIT_NANOS = Long.MAX_VALUE / 4;

  private final Messenger messenger;
  private final RpcOptions options;
  private final Workers workers;
  private final RRefs refs;

  /** Threads that wait for calls, and move messages meanwhile. */
  private final AtomicInteger drivers = new AtomicInteger();

  /** Run what users add to futures; bodies that wait must not keep these from it. */
  private final Workers completions;

  /** The store, if the agent has opened it. */
  private @Nullable Store ownStore;

  private RpcAgent(String name, int rank, int size, Store store, RpcOptions options) {
    this.options = options;
    messenger = new Messenger(name, rank, size, store, options.messenger());
    workers = new Workers("jgloo-rpc-" + name, options.workers());
    completions = new Workers("jgloo-rpc-" + name + "-completion", COMPLETION_THREADS);
    refs = new RRefs(this);
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
    return new RpcAgent(name, rank, size, store, options).start();
  }

  /**
   * Starts agent {@code worker0}, {@code worker1} and so on, by its rank, with what its launcher
   * has left in the environment: rank, size and store ({@link Launch#detect}), secret and TLS.
   *
   * @throws IllegalStateException if the environment names no rank
   */
  public static RpcAgent fromEnvironment(RpcOptions options) {
    return fromEnvironment(System.getenv(), options);
  }

  static RpcAgent fromEnvironment(Map<String, String> variables, RpcOptions options) {
    Launch launch = Launch.detect(variables);
    MessengerOptions.Builder messenger = options.messenger().toBuilder();
    launch.timeout().ifPresent(messenger::startTimeout);
    DeviceOptions device = options.messenger().deviceOptions();
    if (launch.networkInterface().isPresent()) {
      device = device.with("interface", launch.networkInterface().get());
    }
    device = JobSecret.fromEnvironment(variables).map(device::withSecret).orElse(device);
    DeviceOptions known = device;
    device = TlsOptions.fromEnvironment(variables).map(tls -> tls.addTo(known)).orElse(known);
    messenger.device(options.messenger().device(), device);
    messenger.group(options.messenger().group() + "/" + launch.epoch());
    RpcOptions all = options.toBuilder().messenger(messenger.build()).build();
    Store store =
        Stores.open(launch.store(), launch.rank(), launch.size(), all.messenger().startTimeout());
    try {
      RpcAgent agent = start("worker" + launch.rank(), launch.rank(), launch.size(), store, all);
      agent.ownStore = store;
      return agent;
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private RpcAgent start() {
    try {
      options.functions().close();
      messenger.serve(SERVICE, this::received);
      refs.attach();
      messenger.listen(options.listener());
      messenger.start();
      return this;
    } catch (RuntimeException | Error e) {
      close();
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
  public AgentId peer(String name) {
    return messenger
        .agent(name)
        .orElseThrow(() -> new NotExecutedException("agent '" + name + "' is not there", null));
  }

  /** Rank of this agent. */
  public int rank() {
    return self().rank();
  }

  /** Number of agents of the group. */
  public int size() {
    return messenger.size();
  }

  /** Name of the agent of a rank; empty if none has been known. */
  public Optional<String> nameOf(int rank) {
    return messenger.nameOf(rank);
  }

  /** The remote references of this agent. */
  public RRefs rrefs() {
    return refs;
  }

  Messenger messenger() {
    return messenger;
  }

  RpcOptions options() {
    return options;
  }

  RpcRegistry functions() {
    return options.functions();
  }

  /** Runs a task where bodies run; false if the agent is closed. */
  boolean execute(Runnable task) {
    return workers.execute(task);
  }

  /** Runs a task where bodies run, or here if the agent is closed. */
  void run(Runnable task) {
    if (!workers.execute(task)) {
      task.run();
    }
  }

  /** Counts of tables and traffic, by name, for tests and diagnosis. */
  public Map<String, Long> counts() {
    return messenger.counts();
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
   * @param timeout how long it may take; zero for no limit
   * @return the result; blocks in it belong to the caller
   * @throws RemoteCallException if the body threw; see {@link RpcOptions#rethrown}
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
    long deadline = deadline(timeout);
    OutgoingForks values = new OutgoingForks(refs, to);
    SyncReply reply =
        new SyncReply(values, VirtualThreads.isVirtualHere() || drivers.get() >= MOST_DRIVERS);
    PendingCall call = request(to, function, argument, deadline, values, reply);
    try {
      Workers.wait(() -> await(reply, deadline));
    } catch (InterruptedOperationException | UnavailableException e) {
      call.cancel();
      throw e;
    }
    int status = reply.status(function.toString());
    IncomingForks returned = new IncomingForks(refs, to);
    R result = result(to, function, status, reply.message(), returned);
    try {
      awaitUsable(returned, deadline);
    } catch (RuntimeException | Error e) {
      returned.close();
      reply.message().close();
      throw e;
    }
    return result;
  }

  /** Waits until the values of a message can be used. */
  void awaitUsable(IncomingForks values, long deadlineNanos) {
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
    try {
      usable.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof JGlooException cause
          ? cause.again("a result for agent " + name())
          : e;
    }
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
      drivers.incrementAndGet();
      try {
        while (!messenger.await(reply::isDone, deadline + Clock.nanos(Duration.ofSeconds(1)))) {
          messenger.wakeup(); // the timer that ends the call is late
        }
      } finally {
        drivers.decrementAndGet();
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
   * @param timeout how long it may take; zero for no limit
   * @return completes as {@link #rpcSync} returns or throws. Cancelling it gives the call up: the
   *     body does not begin if it has not. Actions added to it must not wait for other calls; use
   *     those that take an executor for such
   */
  public <A, R> CompletableFuture<R> rpcAsync(
      AgentId to, RpcFunction<A, R> function, A argument, Duration timeout) {
    long deadline = deadline(timeout);
    OutgoingForks values = new OutgoingForks(refs, to);
    AsyncReply<R> reply = new AsyncReply<>(this, to, function, values);
    return reply.of(request(to, function, argument, deadline, values, reply));
  }

  /** {@link #rpcSync(AgentId, RpcFunction, Object)} of the agent of a name. */
  public <A, R> R rpcSync(String to, RpcFunction<A, R> function, A argument) {
    return rpcSync(peer(to), function, argument);
  }

  /** Calls a function with the arguments of the call, as the other methods of this name. */
  public <A, R> R rpcSync(String to, RpcCall<A, R> call) {
    return rpcSync(peer(to), call.function(), call.argument());
  }

  /** {@link #rpcAsync(AgentId, RpcFunction, Object)} of the agent of a name. */
  public <A, R> CompletableFuture<R> rpcAsync(String to, RpcFunction<A, R> function, A argument) {
    return rpcAsync(peer(to), function, argument);
  }

  /** Calls a function with the arguments of the call, as the other methods of this name. */
  public <A, R> CompletableFuture<R> rpcAsync(String to, RpcCall<A, R> call) {
    return rpcAsync(peer(to), call.function(), call.argument());
  }

  /** {@link RRefs#remote(AgentId, RpcFunction, Object)} at the agent of a name. */
  public <A, R> RRef<R> remote(String to, RpcFunction<A, R> function, A argument) {
    return refs.remote(peer(to), function, argument);
  }

  /** {@link RRefs#remote(AgentId, RpcFunction, Object)} with the arguments of the call. */
  public <A, R> RRef<R> remote(String to, RpcCall<A, R> call) {
    return refs.remote(peer(to), call.function(), call.argument());
  }

  /**
   * Returns an object whose methods call those that the agent of a name has registered by {@link
   * RpcRegistry#service}. A method that returns a {@link CompletableFuture} does not wait.
   *
   * @throws IllegalArgumentException if the type is no interface, or a type has no codec
   */
  public <T> T stub(Class<T> type, String to) {
    return Stubs.of(this, type, () -> peer(to), null);
  }

  /**
   * Returns an object whose methods call those of the referenced object at its owner, which has
   * registered them by {@link RpcRegistry#objects} or {@link RpcRegistry#service}.
   */
  public <T> T stub(Class<T> type, RRef<T> object) {
    return Stubs.of(this, type, object::owner, object);
  }

  /** When a timeout ends that begins now. */
  long deadline(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, but is " + timeout);
    }
    long nanos = timeout.isZero() ? NO_LIMIT_NANOS : Clock.nanos(timeout);
    return messenger.clock().nanoTime() + Math.min(nanos, NO_LIMIT_NANOS);
  }

  private <A> PendingCall request(
      AgentId to,
      RpcFunction<A, ?> function,
      A argument,
      long deadline,
      OutgoingForks values,
      ReplyHandler reply) {
    return values.send(
        out -> function.writeCall(argument, out),
        message -> messenger.request(to, SERVICE, message, Priority.NORMAL, deadline, reply));
  }

  <R> R result(
      AgentId to, RpcFunction<?, R> function, int status, Message reply, IncomingForks values) {
    try {
      MessageReader in = new MessageReader(reply).attach(values);
      if (status == THREW) {
        throw rethrown(RemoteCallException.read(to, function.toString(), in));
      }
      if (status != RETURNED) {
        throw new ProtocolException("a reply of " + function + " has status " + status);
      }
      R result = function.result().read(in);
      in.end();
      return result;
    } catch (RuntimeException | Error e) {
      reply.close();
      throw e;
    }
  }

  /** Returns what is thrown here for what a body of another agent threw. */
  RuntimeException rethrown(RemoteCallException thrown) {
    for (Class<? extends RuntimeException> type : options.rethrown()) {
      if (type.getName().equals(thrown.remoteType())) {
        try {
          RuntimeException own =
              type.getConstructor(String.class).newInstance(thrown.remoteMessage());
          own.initCause(thrown);
          return own;
        } catch (ReflectiveOperationException | IllegalStateException e) {
          thrown.addSuppressed(e); // no such constructor: the general exception says all
        }
      }
    }
    return thrown;
  }

  /** Runs what users have added to a future. */
  void complete(Runnable completion) {
    if (!completions.execute(completion)) {
      completion.run();
    }
  }

  // Calls of others.
  //
  //   request  call, as RpcFunction.writeCall writes it
  //   reply    status 0: result; status 1: failure, see RemoteCallException.failure

  private void received(IncomingRequest request) {
    MessageReader in = new MessageReader(request.message());
    try {
      RpcRegistry.Entry<?, ?> entry = functions().find(in, name());
      execute(entry, request, () -> read(entry, request, in));
    } catch (NotExecutedException e) {
      request.refuse(String.valueOf(e.getMessage()));
    }
  }

  private void execute(RpcRegistry.Entry<?, ?> entry, IncomingRequest request, Runnable task) {
    if (entry.isDirect()) {
      task.run();
    } else if (!execute(task)) {
      request.refuse("agent " + name() + " is closed");
    }
  }

  private <A, R> void read(
      RpcRegistry.Entry<A, R> entry, IncomingRequest request, MessageReader in) {
    IncomingForks values = new IncomingForks(refs, request.from());
    A argument;
    try {
      argument = entry.function().argument().read(in.attach(values));
      in.end();
    } catch (Throwable e) { // code of users, and hostile bytes: it must not get further than here
      request.refuse(
          "its argument is none of " + entry.function() + ": " + RemoteCallException.describe(e));
      return;
    }
    values.whenUsable(
        task -> execute(entry, request, task),
        () -> run(entry, request, argument, values),
        cause -> request.refuse(String.valueOf(cause.getMessage())));
  }

  private <A, R> void run(
      RpcRegistry.Entry<A, R> entry, IncomingRequest request, A argument, IncomingForks values) {
    if (!request.begin()) {
      values.close();
      return;
    }
    RpcContext context = new RpcContext(this, request.from(), request.deadlineNanos());
    entry.run(
        context, argument, this::run, (result, thrown) -> answer(entry, request, result, thrown));
  }

  private <R> void answer(
      RpcRegistry.Entry<?, R> entry,
      IncomingRequest request,
      @Nullable R result,
      @Nullable Throwable thrown) {
    OutgoingForks values = new OutgoingForks(refs, request.from());
    Throwable failure = thrown;
    if (failure == null) {
      try {
        values.send(
            out -> write(entry, result, out),
            reply -> {
              close(request.message(), reply);
              request.reply(RETURNED, reply);
              return reply;
            });
        values.replied(request.deadlineNanos());
        return;
      } catch (Throwable e) { // of the codec, or no memory for the reply
        failure = e;
      }
    }
    Message reply = RemoteCallException.failure(failure);
    close(request.message(), reply);
    request.reply(THREW, reply);
  }

  @SuppressWarnings("NullAway") // whether a result may be null is for its codec to say
  private static <R> void write(
      RpcRegistry.Entry<?, R> entry, @Nullable R result, MessageWriter out) {
    entry.function().result().write(result, out);
  }

  /** Closes the blocks of the argument that are not passed on. */
  private static void close(Message argument, Message reply) {
    for (Block block : argument.blocks()) {
      if (!reply.blocks().contains(block)) {
        block.close();
      }
    }
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
      return messenger.shutdown(deadline, refs::isBusy, () -> refs.settle(deadline));
    } finally {
      closeRest();
    }
  }

  /** {@link #shutdown(Duration)} with a timeout of 5 minutes. */
  public boolean shutdown() {
    return shutdown(Duration.ofMinutes(5));
  }

  /** Ends calls under way and closes. */
  @Override
  public void close() {
    messenger.close();
    closeRest();
  }

  private void closeRest() {
    refs.close();
    workers.close();
    completions.close();
    Store opened = ownStore;
    if (opened != null) {
      opened.close();
    }
  }
}
