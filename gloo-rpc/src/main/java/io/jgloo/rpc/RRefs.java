package io.jgloo.rpc;

import io.jgloo.rpc.RRef.Handle;
import io.jgloo.rpc.Values.Stored;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message.Fetch;
import io.jgloo.rpc.rref.protocol.Message.FetchReply;
import io.jgloo.rpc.rref.protocol.Message.RemoteCall;
import io.jgloo.rpc.rref.protocol.Message.Request;
import io.jgloo.rpc.rref.protocol.Message.UserAccept;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.RRefTables;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.rpc.rref.protocol.User;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The remote references of one agent: makes them, passes them on, and counts them.
 *
 * <p>{@link RpcAgent#rrefs} has them. {@link RpcAgent#shutdown} closes the handles of this agent
 * that are open and waits until those of others are; {@link #leaks} tells which.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: two threads (daemons), until the agent is closed.
 */
public final class RRefs {

  /** Service of creations. */
  static final int REMOTE_SERVICE = 2;

  /** Service of fetches. */
  static final int FETCH_SERVICE = 3;

  /** Kind of control messages. */
  static final int CONTROL_KIND = 2;

  private final RpcAgent agent;
  private final Map<RRefTables.Path, AtomicLong> numbers = new ConcurrentHashMap<>();
  final Values values = new Values(this);
  final Creations creations = new Creations(this);
  final Fetches fetches = new Fetches(this);
  final Observations observations = new Observations(this);

  final Background background;

  /** Futures of the owners' confirmations. */
  private final Map<ForkId, CompletableFuture<Void>> unconfirmed = new ConcurrentHashMap<>();

  /** Null before the first use: the agent has no id before its start. */
  private volatile @Nullable Tables tables;

  RRefs(RpcAgent agent) {
    this.agent = agent;
    background = new Background(this, agent.name());
  }

  // Making references.

  /** {@link #remote(AgentId, RpcFunction, Object, Duration)} with the timeout of the options. */
  public <A, R> RRef<R> remote(AgentId to, RpcFunction<A, R> function, A argument) {
    return remote(to, function, argument, agent.options().timeout());
  }

  /**
   * Has an agent run a function whose result stays there. Returns at once, before the agent knows
   * of it; the reference can be used and passed on.
   *
   * @param to the owner to be; may be this agent
   * @param argument blocks in it belong to the call
   * @param timeout how long the owner may take to make the value; zero for no limit
   */
  public <A, R> RRef<R> remote(
      AgentId to, RpcFunction<A, R> function, A argument, Duration timeout) {
    long deadline = agent.deadline(timeout);
    return to.equals(self())
        ? creations.create(function, argument, deadline)
        : creations.create(to, function, argument, deadline);
  }

  /**
   * Makes a reference of a value of this agent.
   *
   * @param value an {@link AutoCloseable} is closed when the last handle is gone
   * @param codec how it travels
   */
  public <T> RRef<T> of(T value, Codec<T> codec) {
    RRefId ref = newRef(self());
    Outcome outcome = new Outcome.Value(new Stored(agent, value, codec, false));
    tables().apply(new Event.OwnerCreated(ref, outcome));
    return ownHandle(ref, codec);
  }

  /**
   * How references travel in arguments, results and values: the receiver gets a handle of its own.
   *
   * @param value codec of the values
   */
  public static <T> Codec<RRef<T>> codec(Codec<T> value) {
    return Codecs.of(
        "rref(" + value.type() + ")",
        (ref, out) -> write(ref, value, out),
        in -> {
          if (!(in.attachment() instanceof IncomingForks forks)) {
            throw new ProtocolException("a reference in a message of no agent");
          }
          return forks.handle(ControlCodec.readRef(in), ControlCodec.readNumber(in), value);
        });
  }

  private static <T> void write(RRef<T> ref, Codec<T> value, MessageWriter out) {
    if (!(out.attachment() instanceof OutgoingForks forks) || !forks.isOf(ref.refs)) {
      throw new IllegalArgumentException(
          ref + " can only be passed on in a message of the agent that holds it");
    }
    if (!ref.codec.type().equals(value.type())) {
      throw new IllegalArgumentException(
          ref + " is of a value of type " + ref.codec.type() + ", not " + value.type());
    }
    ForkId child = forks.fork(ref);
    ControlCodec.writeRef(child.ref(), out);
    out.putLong(child.number());
    if (ref.isHandedOver()) {
      ref.close();
    }
  }

  // Introspection.

  /** Numbers of entries by table, and of messages that were rejected or given up. */
  public Map<String, Long> counts() {
    return observations.counts();
  }

  /** All entries as text, a line for each. */
  public String dump() {
    return observations.dump();
  }

  /** Handles that were open when the agent was shut down: the last 1000. */
  public List<String> leaks() {
    return observations.leaks();
  }

  // What the agent calls.

  void attach() {
    Messenger messenger = messenger();
    messenger.serve(REMOTE_SERVICE, creations);
    messenger.serve(FETCH_SERVICE, fetches);
    messenger.handle(CONTROL_KIND, this::control);
    messenger.listen(
        new PeerListener() {
          @Override
          public void joined(AgentId peer) {
            if (tables != null) {
              tables().apply(new Event.PeerSeen(peer));
            }
          }

          @Override
          public void lost(AgentId peer, JGlooException cause) {
            if (tables != null) {
              RRefs.this.lost(peer);
            }
          }
        });
  }

  private void control(AgentId from, byte[] content) {
    try {
      received(from, ControlCodec.decode(content));
    } catch (ProtocolException e) {
      rejected(from, String.valueOf(e.getMessage()));
    }
  }

  private void lost(AgentId peer) {
    tables().apply(new Event.PeerLost(peer));
    numbers.keySet().removeIf(path -> path.owner().equals(peer) || path.holder().equals(peer));
  }

  boolean isBusy() {
    return tables != null && background.isBusy();
  }

  boolean settle(long deadlineNanos) {
    return tables == null || background.settle(deadlineNanos);
  }

  void close() {
    background.close();
  }

  // What the parts of this package share.

  RpcAgent agent() {
    return agent;
  }

  Messenger messenger() {
    return agent.messenger();
  }

  AgentId self() {
    return messenger().self();
  }

  int messengerSize() {
    return messenger().size();
  }

  /** Made with the first use: before the start the agent has no id. */
  Tables tables() {
    Tables made = tables;
    return made != null ? made : makeTables();
  }

  private synchronized Tables makeTables() {
    Tables made = tables;
    if (made == null) {
      made = new Tables(self(), this::carryOut);
      background.start();
      for (int rank = 0; rank < messenger().size(); rank++) {
        messenger().agent(rank).map(Event.PeerSeen::new).ifPresent(made::apply);
      }
      tables = made;
    }
    return made;
  }

  Cleaner.Cleanable watch(RRef<?> ref, Handle handle) {
    tables(); // starts what watches
    return background.watch(ref, handle);
  }

  private long next(RRefTables.Path path) {
    return numbers.computeIfAbsent(path, absent -> new AtomicLong()).getAndIncrement();
  }

  RRefId newRef(AgentId owner) {
    return new RRefId(owner, self(), next(new RRefTables.Path(owner, self(), self())));
  }

  /** A handle that the tables count already. */
  <T> RRef<T> ownHandle(RRefId ref, Codec<T> codec) {
    return new RRef<>(this, new Handle(this, ref, null).open(), codec);
  }

  /** Makes a fork of a handle for an agent. */
  ForkId fork(Handle parent, AgentId to) {
    RRefId ref = parent.ref;
    long number = next(new RRefTables.Path(ref.owner(), self(), to));
    ForkId child = new ForkId(ref, self(), to, number);
    Event event =
        parent.fork == null
            ? new Event.OwnerForked(child)
            : new Event.UserForked(parent.fork, child);
    for (Effect effect : tables().apply(event)) {
      if (effect instanceof Effect.Denied denied) {
        ForkId failed = parent.fork == null ? child : parent.fork;
        throw exception(denied.reason(), parent.toString(), creations.cause(failed));
      }
    }
    return child;
  }

  List<Effect> received(AgentId from, io.jgloo.rpc.rref.protocol.Message message) {
    return tables().apply(new Event.Received(from, message));
  }

  /** A request to an agent has failed; it may be gone. */
  void lostIfGone(AgentId agent) {
    if (!messenger().agent(agent.rank()).equals(Optional.of(agent))) {
      lost(agent);
    }
  }

  void rejected(AgentId from, String why) {
    observations.rejected(from, why);
  }

  /** Reads a value, and waits until the references in it can be used. */
  <T> T readValue(AgentId from, Codec<T> codec, Message message, long deadlineNanos) {
    IncomingForks forks = new IncomingForks(this, from);
    MessageReader in = new MessageReader(message).attach(forks);
    T value = codec.read(in);
    in.end();
    try {
      agent.awaitUsable(forks, deadlineNanos);
    } catch (RuntimeException | Error e) {
      forks.close();
      throw e;
    }
    return value;
  }

  /**
   * The value of an outcome; throws what the others mean.
   *
   * @param handle what cannot be used if it is refused
   * @param cause why, if that is known
   */
  Object valueOf(Outcome outcome, RRefId ref, Object handle, @Nullable JGlooException cause) {
    if (outcome instanceof Outcome.Refused refused) {
      throw exception(refused.reason(), handle.toString(), cause);
    } else if (outcome instanceof Outcome.Thrown thrown) {
      MessageReader in = new MessageReader((Message) thrown.error());
      String what = "the function of reference " + ref;
      throw agent.rethrown(RemoteCallException.read(ref.owner(), what, in));
    }
    return ((Outcome.Value) outcome).value();
  }

  /** Completes when the owner confirms a fork. */
  CompletableFuture<Void> confirmation(ForkId fork) {
    CompletableFuture<Void> future =
        unconfirmed.computeIfAbsent(fork, absent -> new CompletableFuture<>());
    User user = tables().read(tables -> tables.users().get(fork));
    if (user == null || !user.open()) {
      failed(fork, Reason.CLOSED);
    } else if (user.status() == User.Status.CONFIRMED) {
      confirmed(fork);
    } else if (user.reason() != null) {
      failed(fork, user.reason());
    }
    return future.copy();
  }

  private void confirmed(ForkId fork) {
    CompletableFuture<Void> future = unconfirmed.isEmpty() ? null : unconfirmed.remove(fork);
    if (future != null) {
      future.complete(null);
      messenger().wakeup();
    }
  }

  private void failed(ForkId fork, Reason reason) {
    CompletableFuture<Void> future = unconfirmed.isEmpty() ? null : unconfirmed.remove(fork);
    if (future != null) {
      future.completeExceptionally(exception(reason, fork.toString(), creations.cause(fork)));
      messenger().wakeup();
    }
  }

  static RRefException exception(Reason reason, String what, @Nullable JGlooException cause) {
    String text = what + " cannot be used: " + reason;
    return new RRefException(
        RRefException.Reason.valueOf(reason.name()),
        cause == null ? text : text + ": " + cause.getMessage(),
        cause);
  }

  // What the protocol decides.

  private void carryOut(Effect effect) {
    if (effect instanceof Effect.Send send) {
      send(send.to(), send.message());
    } else if (effect instanceof Effect.Run run && run.key() instanceof IncomingForks forks) {
      forks.confirmed();
    } else if (effect instanceof Effect.Run run) {
      creations.run((RRefId) run.key());
    } else if (effect instanceof Effect.Refuse refuse
        && refuse.key() instanceof IncomingForks forks) {
      forks.refused(refuse.reason());
    } else if (effect instanceof Effect.Refuse refuse) {
      creations.refuse((RRefId) refuse.key());
    } else if (effect instanceof Effect.Deliver deliver) {
      fetches.deliver(deliver.ticket(), deliver.outcome());
    } else if (effect instanceof Effect.Confirmed confirmed) {
      confirmed(confirmed.fork());
    } else if (effect instanceof Effect.Failed failed) {
      failed(failed.fork(), failed.reason());
    } else if (effect instanceof Effect.Dropped dropped) {
      observations.dropped();
      values.dropped(dropped.ref(), dropped.outcome());
    } else if (effect instanceof Effect.Discarded discarded) {
      values.discarded(discarded.outcome());
    } else if (effect instanceof Effect.Rejected rejected) {
      rejected(rejected.from(), rejected.message() + ": " + rejected.why());
    } // what is denied is seen by the caller of apply
  }

  private void send(AgentId to, io.jgloo.rpc.rref.protocol.Message message) {
    observations.traced(to, message);
    if (message instanceof RemoteCall call) {
      creations.send(call);
    } else if (message instanceof UserAccept accept) {
      creations.accept(accept.fork());
    } else if (message instanceof Fetch fetch) {
      fetches.send(fetch);
    } else if (message instanceof FetchReply reply) {
      fetches.reply(reply);
    } else {
      control(to, message);
    }
  }

  /** The messenger delivers it once, or the agent is lost. */
  private void control(AgentId to, io.jgloo.rpc.rref.protocol.Message message) {
    var sent = messenger().send(to, CONTROL_KIND, ControlCodec.encode(message));
    if (message instanceof Request request) {
      var unused =
          sent.whenComplete(
              (nothing, failure) -> {
                if (failure == null) {
                  tables().apply(new Event.Acknowledged(request.key()));
                } else {
                  lostIfGone(to);
                }
              });
    }
  }

  /**
   * The tables of one agent: applies events one after another, and has the effects carried out in
   * their order.
   *
   * <p>A step takes 1 to 3 us under the lock. Effects are carried out without it, by the thread
   * that happens to add some, because they may lead to further events.
   *
   * <p><i>Threads</i>: any.
   */
  static final class Tables {

    private static final Logger LOG = System.getLogger(RRefs.class.getName());

    private final ConcurrentLinkedQueue<Effect> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final Consumer<Effect> actions;
    private final RRefTables tables;

    /**
     * @param actions carries effects out; must not block
     */
    Tables(AgentId self, Consumer<Effect> actions) {
      this.actions = actions;
      tables = new RRefTables(self);
    }

    /** Reads the tables. */
    synchronized <T> T read(Function<RRefTables, T> reader) {
      return reader.apply(tables);
    }

    /** Applies an event; its effects have been carried out or will be, by another thread. */
    List<Effect> apply(Event event) {
      List<Effect> effects;
      synchronized (this) {
        effects = tables.apply(event);
        queue.addAll(effects);
      }
      run();
      return effects;
    }

    private void run() {
      while (!queue.isEmpty() && running.compareAndSet(false, true)) {
        try {
          for (Effect effect = queue.poll(); effect != null; effect = queue.poll()) {
            guarded(effect);
          }
        } finally {
          running.set(false);
        }
      }
    }

    private void guarded(Effect effect) {
      try {
        actions.accept(effect);
      } catch (RuntimeException | Error e) { // the others must be carried out all the same
        LOG.log(Level.ERROR, "effect " + effect + " failed", e);
      }
    }
  }
}
