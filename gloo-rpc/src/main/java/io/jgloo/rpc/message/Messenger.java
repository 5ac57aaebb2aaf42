package io.jgloo.rpc.message;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.Devices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One agent of a group: sends requests and control messages to the others, and receives theirs.
 *
 * <p>Life: made; its services, handlers and listeners are set; {@link #start}; {@link #shutdown} or
 * {@link #close}. An agent has a name, unique in the group, and an {@link AgentId}. A process
 * started anew at the same rank has a new id, and nothing that was meant for the old one reaches
 * it.
 *
 * <p>A request has one of three outcomes: a reply; {@code NotExecutedException}: it was not
 * executed and will not be; {@code OutcomeUnknownException}: it may have been, once. Messages are
 * sent again when a connection breaks and is made again, and are delivered at most once.
 *
 * <p><i>Threads</i>: any. Handlers are called by the thread that runs the agent's events: one of
 * this class, or any that calls a method of it. <i>Owns</i>: its device and its threads (daemons).
 * <i>Fails</i>: the loss of a peer ends what was under way with it, nothing else.
 */
public final class Messenger implements ControlChannel, AutoCloseable {

  /** Time between two looks at what wakes no thread. */
  private static final long LOOK_NANOS = 5_000_000;

  /** Largest number of a service. */
  public static final int MAX_SERVICE = 0xffff;

  private final String name;
  private final MessengerOptions options;
  private final Directory directory;
  private final List<Peer> peers = new ArrayList<>();
  private final Handlers handlers = new Handlers();
  private final AtomicLong calls = new AtomicLong(1);
  private final Object life = new Object();

  @SuppressWarnings("NullAway.Init") // set by start
  private MessengerThreads threads;

  private volatile @Nullable MessengerState core;

  private volatile boolean closed;

  /**
   * Makes an agent, not connected yet.
   *
   * @param name 1 to 128 letters, digits and {@code - _ : .}; unique in the group
   * @param rank 0 to size - 1
   * @param size number of agents
   * @param store the same for all agents; stays open
   * @throws IllegalArgumentException if name, rank or size is out of range
   * @throws io.jgloo.transport.UnavailableException if the device cannot be used
   */
  public Messenger(String name, int rank, int size, Store store, MessengerOptions options) {
    this(name, rank, size, store, options, null);
  }

  /**
   * @param given the device to use, owned from now on; null to open the one of the options
   */
  Messenger(
      String name,
      int rank,
      int size,
      Store store,
      MessengerOptions options,
      @Nullable Device given) {
    Directory.requireName(name);
    this.name = name;
    this.options = options;
    for (int peer = 0; peer < size; peer++) {
      peers.add(new Peer(peer));
    }
    Device device = given == null ? Devices.open(options.device(), options.deviceOptions()) : given;
    directory = new Directory(name, rank, peers, store, options, device);
  }

  // What is set before the start.

  /**
   * Sets the handler of a service.
   *
   * @param service 0 to {@link #MAX_SERVICE}
   * @throws IllegalArgumentException if service is out of range
   * @throws IllegalStateException if the service has a handler, or the agent has started
   */
  public void serve(int service, RequestHandler handler) {
    requireNotStarted();
    handlers.serve(service, handler);
  }

  @Override
  public void handle(int kind, Handler handler) {
    requireNotStarted();
    handlers.handle(kind, handler);
  }

  /**
   * Adds a listener.
   *
   * @throws IllegalStateException if the agent has started
   */
  public void listen(PeerListener listener) {
    requireNotStarted();
    handlers.listen(listener);
  }

  private void requireNotStarted() {
    if (core != null || closed) {
      throw new IllegalStateException("agent " + name + " has started or is closed");
    }
  }

  /**
   * Registers this agent, and connects it to all others.
   *
   * @throws IllegalStateException if it was started before, if a living agent has this rank, or if
   *     another rank has this name
   * @throws io.jgloo.transport.JGlooException if the others do not come within {@link
   *     MessengerOptions#startTimeout}; the agent is closed then
   */
  public void start() {
    try {
      threads = new MessengerThreads(prepare(), directory, "jgloo-rpc-" + name);
      threads.start();
      directory.awaitOthers();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Does what comes before the first thread. */
  MessengerState prepare() {
    requireNotStarted();
    core = directory.register(handlers);
    return core;
  }

  Directory directory() {
    return directory;
  }

  /** Whether the calling thread runs a handler of this agent, and so must not wait for it. */
  public boolean isHandling() {
    return started().events.isRunner();
  }

  private MessengerState started() {
    if (core == null) {
      throw new IllegalStateException("agent " + name + " has not started");
    }
    return core;
  }

  // Who there is.

  @Override
  public AgentId self() {
    return started().self;
  }

  /** Name of this agent. */
  public String name() {
    return name;
  }

  /** Number of agents of the group. */
  public int size() {
    return peers.size();
  }

  /** The present life of the agent of a rank; empty if none is known. */
  public Optional<AgentId> agent(int rank) {
    return Optional.ofNullable(peers.get(rank).id());
  }

  /** The present life of the agent of a name; empty if none is known. */
  public Optional<AgentId> agent(String wanted) {
    for (Peer peer : peers) {
      if (wanted.equals(peer.name())) {
        return Optional.ofNullable(peer.id());
      }
    }
    return Optional.empty();
  }

  /** Name of the agent of a rank; empty if none has been known. */
  public Optional<String> nameOf(int rank) {
    return Optional.ofNullable(peers.get(rank).name());
  }

  /** Time as deadlines see it. */
  public Clock clock() {
    return directory.clock();
  }

  // Requests and control messages.

  /**
   * Sends a request.
   *
   * @param to a life of an agent, this one's too
   * @param service 0 to {@link #MAX_SERVICE}
   * @param message belongs to the messenger from now on
   * @param deadlineNanos when to give up: an instant of {@link #clock}
   * @param handler gets the outcome, maybe before this method returns
   * @throws IllegalArgumentException if service or rank is out of range
   */
  public PendingCall request(
      AgentId to,
      int service,
      Message message,
      Priority priority,
      long deadlineNanos,
      ReplyHandler handler) {
    Handlers.requireService(service);
    requireRank(to);
    MessengerState running = started();
    PendingCall call =
        new PendingCall(
            running,
            to,
            service,
            message,
            priority,
            deadlineNanos,
            calls.getAndIncrement(),
            handler);
    BodyMessage outbound = null;
    if (!to.equals(running.self)) {
      long left = deadlineNanos - clock().nanoTime();
      outbound =
          BodyMessage.request(
              call, running.supplies, options.frameBytes(), peers.get(to.rank()).bodies, left);
      call.outbound(outbound);
    }
    BodyMessage encoded = outbound;
    running.events.run(() -> running.call(call, encoded));
    return call;
  }

  private void requireRank(AgentId to) {
    if (to.rank() >= peers.size()) {
      throw new IllegalArgumentException(
          "rank of agent " + to + " must be below " + peers.size() + ", the number of agents");
    }
  }

  @Override
  public CompletableFuture<Void> send(AgentId to, int kind, byte[] content) {
    Handlers.requireKind(kind);
    requireRank(to);
    int most = Math.min(MAX_BYTES, options.frameBytes() / 2);
    if (content.length > most) {
      throw new IllegalArgumentException(
          "content must be at most " + most + " bytes, but is " + content.length);
    }
    MessengerState running = started();
    ControlMessage message = new ControlMessage(to, Envelope.control(kind, content));
    running.events.run(
        () -> {
          if (to.equals(running.self) && running.cause() == null) {
            running.handlers.control(to, kind, content);
            message.acknowledged();
          } else {
            running.submit(to, message);
          }
        });
    return message.future();
  }

  /**
   * Waits, and moves messages meanwhile.
   *
   * @param condition what to wait for; it follows from messages of this agent, or the thread that
   *     makes it true calls {@link #wakeup}; rests on volatile state, takes no lock
   * @param deadlineNanos an instant of {@link #clock}
   * @return whether the condition is met
   * @throws IllegalStateException if a handler calls it: what it waits for could not happen
   * @throws io.jgloo.transport.InterruptedOperationException if the thread is interrupted
   */
  public boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
    MessengerState running = started();
    if (running.events.isRunner()) {
      throw new IllegalStateException("a handler of agent " + name + " must not wait");
    }
    return threads == null
        ? running.port.await(condition, deadlineNanos)
        : threads.await(condition, deadlineNanos);
  }

  /** Lets threads in {@link #await} look at their conditions. */
  public void wakeup() {
    started().port.wakeup();
  }

  /** Counts of tables and traffic, by name, for tests and diagnosis. */
  public Map<String, Long> counts() {
    MessengerState running = started();
    CompletableFuture<Map<String, Long>> counts = new CompletableFuture<>();
    running.events.run(() -> counts.complete(running.counts()));
    return counts.join();
  }

  /** Peers, calls and requests as text for people: what waits for what. */
  public String dump() {
    MessengerState running = started();
    CompletableFuture<String> text = new CompletableFuture<>();
    running.events.run(() -> text.complete(running.dump()));
    return text.join();
  }

  // The end.

  /**
   * Leaves the group together with all others: waits until this agent's calls have their outcomes
   * and all other agents have called this method or are lost, serving them meanwhile; then closes.
   *
   * @return whether that was so at the timeout; it is closed all the same
   * @throws IllegalStateException if a handler calls it
   */
  public boolean shutdown(Duration timeout) {
    return shutdown(clock().nanoTime() + Clock.nanos(timeout), () -> false, () -> true);
  }

  /**
   * As {@link #shutdown(Duration)}, with code of its user.
   *
   * @param isBusy whether something is under way that may lead to calls; asked from time to time
   * @param settle runs when no agent does anything any more, while all serve; returns whether it
   *     was successful
   */
  public boolean shutdown(long deadline, BooleanSupplier isBusy, BooleanSupplier settle) {
    MessengerState running = started();
    try {
      boolean done = awaitIdleGroup(running, isBusy, deadline);
      done &= settle.getAsBoolean();
      running.events.run(running::leave);
      return await(() -> running.wasReleased() || running.cause() != null, deadline) && done;
    } finally {
      close();
    }
  }

  /** Whether {@link #shutdown} has reported to the others. */
  public boolean isLeaving() {
    return started().isLeaving();
  }

  private boolean awaitIdleGroup(MessengerState running, BooleanSupplier isBusy, long deadline) {
    for (int round = 0; running.cause() == null; round++) {
      boolean reported = false;
      while (!reported && running.cause() == null) {
        if (clock().nanoTime() - deadline >= 0) {
          return false;
        }
        long before = running.activity();
        if (running.isIdle() && !isBusy.getAsBoolean()) {
          CompletableFuture<Boolean> report = new CompletableFuture<>();
          running.events.run(() -> report.complete(running.reportIdle(before)));
          reported = report.join();
        }
        if (!reported) {
          await(() -> false, Math.min(deadline, clock().nanoTime() + LOOK_NANOS));
        }
      }
      int wanted = round + 1;
      if (!await(() -> running.rounds() >= wanted || running.cause() != null, deadline)) {
        return false;
      }
      if (running.isSteady()) {
        return true;
      }
    }
    return true;
  }

  /**
   * Ends everything that is under way and closes; the others see it leave.
   *
   * @throws IllegalStateException if a handler calls it
   */
  @Override
  public void close() {
    synchronized (life) {
      if (closed) {
        return;
      }
      MessengerState running = core;
      if (running != null) {
        if (running.events.isRunner()) {
          throw new IllegalStateException("a handler of agent " + name + " must not close it");
        }
        CompletableFuture<Void> ended = new CompletableFuture<>();
        running.events.run(
            () -> {
              running.end(new ClosedException("agent " + name + " is closed"));
              ended.complete(null);
            });
        ended.join();
      }
      closed = true;
      if (threads != null) {
        threads.stop();
      }
      if (running != null) {
        running.port.close();
      }
      directory.close();
    }
  }
}
