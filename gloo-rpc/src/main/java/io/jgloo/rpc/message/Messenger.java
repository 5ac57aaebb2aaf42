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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
public final class Messenger implements AutoCloseable {

  /** Largest content of a control message in bytes. */
  static final int MAX_BYTES = 16 * 1024;

  /** Largest kind of control messages; kinds are 0 to this. */
  static final int MAX_KIND = 255;

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
  private Threads threads;

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
   * @param handler takes a request, which is to be answered once, now or later, by any thread; it
   *     runs in the thread that runs the agent's events, must be short and must not block
   * @throws IllegalArgumentException if service is out of range
   * @throws IllegalStateException if the service has a handler, or the agent has started
   */
  public void serve(int service, Consumer<IncomingRequest> handler) {
    requireNotStarted();
    handlers.serve(service, handler);
  }

  /**
   * Sets the handler of control messages of a kind. Those of one peer, of all kinds, are handled
   * one after another in the order of arrival; those of different peers may be handled at the same
   * time. It must be short and must not block.
   *
   * @param kind 0 to {@link #MAX_KIND}
   * @param handler gets the life of the agent that sent a message, never one that has been reported
   *     lost, and the content, which it may keep; what it throws is reported to {@link
   *     PeerListener}
   * @throws IllegalArgumentException if kind is out of range
   * @throws IllegalStateException if the kind has a handler, or the agent has started
   */
  public void handle(int kind, BiConsumer<AgentId, byte[]> handler) {
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
      threads = new Threads(prepare(), directory, "jgloo-rpc-" + name);
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

  /** This life of this agent. */
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
    Outbound.Body outbound = null;
    if (!to.equals(running.self)) {
      long left = deadlineNanos - clock().nanoTime();
      outbound =
          Outbound.Body.request(
              call, running.supplies, options.frameBytes(), peers.get(to.rank()).bodies, left);
      call.outbound(outbound);
    }
    Outbound.Body encoded = outbound;
    running.events.run(() -> running.call(call, encoded));
    return call;
  }

  private void requireRank(AgentId to) {
    if (to.rank() >= peers.size()) {
      throw new IllegalArgumentException(
          "rank of agent " + to + " must be below " + peers.size() + ", the number of agents");
    }
  }

  /**
   * Sends a short control message. It reaches the handler of its kind at most once for each call,
   * also when the connection breaks and is made again; messages between two agents arrive in their
   * order. Never blocks.
   *
   * @param to a life of an agent, this one's too; messages for a former or unknown one fail
   * @param kind 0 to {@link #MAX_KIND}
   * @param content at most {@link #MAX_BYTES}; not copied, not to be changed any more
   * @return completes when the peer's agent has acknowledged the message: its handler has seen it
   *     or will see it next; fails with {@code NotExecutedException} if it certainly was not
   *     delivered, with {@code OutcomeUnknownException} if the peer was lost before it acknowledged
   * @throws IllegalArgumentException if kind or length is out of range
   */
  public CompletableFuture<Void> send(AgentId to, int kind, byte[] content) {
    Handlers.requireKind(kind);
    requireRank(to);
    int most = Math.min(MAX_BYTES, options.frameBytes() / 2);
    if (content.length > most) {
      throw new IllegalArgumentException(
          "content must be at most " + most + " bytes, but is " + content.length);
    }
    MessengerState running = started();
    Outbound.Control message = new Outbound.Control(to, Envelope.control(kind, content));
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

  /**
   * The two threads of a messenger: one moves messages while no caller does, one connects to peers.
   *
   * <p>A thread that waits for a reply moves the messages itself. Taking that over from another
   * thread costs 20 us and more, so the mover stays away until no thread has waited for 0.2 ms.
   *
   * <p><i>Threads</i>: any.
   */
  private static final class Threads {

    private static final long RECENT_NANOS = 200_000;
    private static final long GAP_NANOS = 100_000;
    private static final long BUSY_NANOS = 500_000;
    private static final long STOP_MILLIS = 2000;

    private final MessengerState core;
    private final Directory directory;
    private final Thread mover;
    private final Thread connector;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long lastWait;
    private volatile boolean stopped;

    Threads(MessengerState core, Directory directory, String name) {
      this.core = core;
      this.directory = directory;
      lastWait = core.clock.nanoTime() - RECENT_NANOS;
      mover = new Thread(this::move, name);
      connector = new Thread(() -> directory.run(() -> stopped), name + "-connect");
      for (Thread thread : List.of(mover, connector)) {
        thread.setDaemon(true);
      }
    }

    void start() {
      mover.start();
      connector.start();
    }

    boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
      waiting.incrementAndGet();
      try {
        return core.port.await(condition, deadlineNanos);
      } finally {
        lastWait = core.clock.nanoTime();
        waiting.decrementAndGet();
      }
    }

    private void move() {
      while (!stopped) {
        long now = core.clock.nanoTime();
        boolean recent = waiting.get() > 0 || now - lastWait < RECENT_NANOS;
        if (now - core.links.nextTimer() >= 0) {
          core.events.poke(); // what follows any event looks at the time
        }
        if (recent) {
          LockSupport.parkNanos(this, waiting.get() > 0 ? BUSY_NANOS : GAP_NANOS);
        } else {
          long timer = core.links.nextTimer();
          moveUntil(timer - now > 0 ? timer : now + GAP_NANOS);
        }
      }
    }

    private void moveUntil(long timer) {
      try {
        core.port.progress(() -> stopped || core.links.nextTimer() - timer < 0, timer);
      } catch (ClosedException e) {
        stopped = true;
      }
    }

    /** Stops both; they end within about a second. */
    void stop() {
      stopped = true;
      core.port.wakeup();
      directory.wakeup();
      LockSupport.unpark(mover);
      boolean interrupted = false;
      for (Thread thread : List.of(mover, connector)) {
        try {
          thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
