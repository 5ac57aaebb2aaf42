package io.jgloo.rpc;

import io.jgloo.rpc.RRef.Handle;
import io.jgloo.rpc.Values.Stored;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message.RemoteCall;
import io.jgloo.rpc.rref.protocol.Message.UserAccept;
import io.jgloo.rpc.rref.protocol.Message.UserDelete;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.rpc.rref.protocol.User;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * REMOTE_CALL, at the user and at the owner: a request of the messenger, which does not lose or
 * repeat it. The owner runs the function, and its result is the value.
 *
 * <pre>
 *   request  i64 number of the root fork, call
 *   reply    status 0: accepted; status 1: refused, string why
 * </pre>
 *
 * <p><i>Threads</i>: any.
 */
final class Creations implements Consumer<IncomingRequest> {

  static final int ACCEPTED = 0;
  static final int REFUSED = 1;

  private record Call(Message message, long deadlineNanos) {}

  private final RRefs refs;

  /** Calls whose effect is not carried out yet. */
  private final Map<ForkId, Call> calls = new ConcurrentHashMap<>();

  /** Why creations failed whose handles are open. */
  private final Map<ForkId, JGlooException> causes = new ConcurrentHashMap<>();

  Creations(RRefs refs) {
    this.refs = refs;
  }

  <A, R> RRef<R> create(AgentId to, RpcFunction<A, R> function, A argument, long deadlineNanos) {
    OutgoingForks values = new OutgoingForks(refs, to);
    RRefId ref = refs.newRef(to);
    Message content =
        values.send(
            out -> {
              out.putLong(ref.number());
              function.writeCall(argument, out);
            },
            message -> message);
    ForkId root = ref.root();
    Call call = new Call(content, deadlineNanos);
    calls.put(root, call);
    Handle handle = new Handle(refs, ref, root).open();
    RRef<R> made = new RRef<>(refs, handle, function.result());
    List<Effect> effects = refs.tables().apply(new Event.UserCreated(root, values.forks()));
    if (effects.stream().noneMatch(Effect.Send.class::isInstance) && calls.remove(root) != null) {
      call.message.close();
    }
    return made;
  }

  /** Carries out the effect that sends the call. */
  void send(RemoteCall message) {
    ForkId root = message.fork();
    Call call = Objects.requireNonNull(calls.remove(root));
    refs.messenger()
        .request(
            root.owner(),
            RRefs.REMOTE_SERVICE,
            call.message,
            Priority.NORMAL,
            call.deadlineNanos,
            new ReplyHandler() {
              @Override
              public void replied(int status, Message reply) {
                reply.close();
                if (status == ACCEPTED) {
                  refs.received(root.owner(), new UserAccept(root));
                } else {
                  refs.tables().apply(new Event.CreationFailed(root));
                }
              }

              @Override
              public void failed(JGlooException cause) {
                causes.put(root, cause);
                refs.lostIfGone(root.owner());
                refs.tables().apply(new Event.CreationFailed(root));
                forgetIfClosed(root);
              }
            });
  }

  /** Number of failed creations whose handles are open. */
  int causes() {
    return causes.size();
  }

  /** Why the creation of a fork failed, or null. */
  @Nullable JGlooException cause(ForkId fork) {
    return causes.get(fork);
  }

  /** The handle may be closed: nobody asks for the cause then. */
  void forgetIfClosed(ForkId fork) {
    if (!causes.isEmpty()) {
      User user = refs.tables().read(tables -> tables.users().get(fork));
      if (user == null || !user.open()) {
        causes.remove(fork);
      }
    }
  }

  // At the owner.

  private enum State {
    /** Its arguments are not confirmed. */
    WAITING,
    RUNS,
    /** Its deadline passed before it ran. Its arguments are closed when they are confirmed. */
    LATE
  }

  /**
   * A function that runs, or will when its arguments are confirmed.
   *
   * @param request null if the call is this agent's own
   */
  private record Creation<A, R>(
      Creations all,
      RRefId ref,
      RpcRegistry.Entry<A, R> entry,
      A argument,
      IncomingForks values,
      Message message,
      long deadlineNanos,
      @Nullable IncomingRequest request,
      AtomicReference<State> state) {

    private void run() {
      values.open();
      if (!state.compareAndSet(State.WAITING, State.RUNS)) {
        values.close();
        message.close();
        all.creations.remove(ref);
      } else if (entry.isDirect()) {
        body();
      } else if (!all.refs.agent().execute(this::body)) {
        end(new Outcome.Refused(Reason.CREATION_FAILED));
      }
    }

    private void body() {
      RpcContext context = new RpcContext(all.refs.agent(), ref.creator(), deadlineNanos);
      entry.run(context, argument, all.refs.agent()::run, this::ended);
    }

    @SuppressWarnings("NullAway") // a function may return null, which its codec refuses or takes
    private void ended(@Nullable R result, @Nullable Throwable thrown) {
      Outcome outcome =
          thrown != null
              ? new Outcome.Thrown(RemoteCallException.failure(thrown))
              : new Outcome.Value(
                  new Stored(
                      all.refs.agent(), result, entry.function().result(), entry.isDirect()));
      for (Block block : message.blocks()) {
        if (!block.equals(result)) {
          block.close();
        }
      }
      end(outcome);
    }

    private void expire() {
      Outcome late = new Outcome.Refused(Reason.CREATION_FAILED);
      if (state.compareAndSet(State.WAITING, State.LATE)) {
        all.refs.values.set(ref, late);
      } else if (state.get() == State.RUNS) {
        end(late);
      }
    }

    private void end(Outcome outcome) {
      all.creations.remove(ref);
      all.refs.values.set(ref, outcome);
    }
  }

  private final Map<RRefId, Creation<?, ?>> creations = new ConcurrentHashMap<>();

  int size() {
    return creations.size();
  }

  /**
   * Makes a value at this agent by a function of its own, whose argument goes through a message.
   */
  <A, R> RRef<R> create(RpcFunction<A, R> function, A argument, long deadlineNanos) {
    AgentId self = refs.self();
    OutgoingForks forks = new OutgoingForks(refs, self);
    RpcRegistry functions = refs.agent().functions();
    Message message =
        forks.send(
            out -> function.writeCall(argument, out),
            written -> {
              var unused = functions.find(new MessageReader(written), refs.agent().name());
              return written;
            });
    RRefId ref = refs.newRef(self);
    refs.tables().apply(new Event.OwnerCreated(ref, null));
    RRef<R> made = refs.ownHandle(ref, function.result());
    MessageReader in = new MessageReader(message);
    RpcRegistry.Entry<?, ?> entry = functions.find(in, refs.agent().name());
    Creation<?, ?> creation = read(ref, entry, in, message, deadlineNanos, null);
    creations.put(ref, creation);
    refs.tables().apply(new Event.Arrived(self, ref, creation.values.forks()));
    return made;
  }

  @Override
  public void accept(IncomingRequest request) {
    MessageReader in = new MessageReader(request.message());
    RRefId ref;
    try {
      ref = new RRefId(refs.self(), request.from(), ControlCodec.readNumber(in));
    } catch (ProtocolException e) {
      refs.rejected(request.from(), "a creation: " + e.getMessage());
      request.refuse(String.valueOf(e.getMessage()));
      return;
    }
    RpcRegistry.Entry<?, ?> entry;
    try {
      entry = refs.agent().functions().find(in, refs.agent().name());
    } catch (NotExecutedException e) {
      refs.rejected(request.from(), "a creation: " + e.getMessage());
      refuse(ref, request, String.valueOf(e.getMessage()));
      return;
    }
    Runnable begin = () -> begin(ref, entry, in, request);
    if (entry.isDirect()) {
      begin.run();
    } else if (!refs.agent().execute(begin)) {
      request.refuse("agent " + refs.agent().name() + " is closed");
    }
  }

  private void refuse(RRefId ref, IncomingRequest request, String why) {
    request.refuse(why);
    neverMade(ref, request);
  }

  /**
   * The creator, which hears of it, owes a delete that it sends when its handle is closed. Others
   * that have the reference already must not wait so long.
   */
  private void neverMade(RRefId ref, IncomingRequest request) {
    refs.received(request.from(), new UserDelete(ref.root()));
  }

  /** Ends those whose deadline has passed; a body that runs goes on, and its result is dropped. */
  void sweep(long now) {
    for (Creation<?, ?> creation : creations.values()) {
      if (now - creation.deadlineNanos >= 0) {
        creation.expire();
      }
    }
  }

  private void begin(
      RRefId ref, RpcRegistry.Entry<?, ?> entry, MessageReader in, IncomingRequest request) {
    Creation<?, ?> creation;
    try {
      creation = read(ref, entry, in, request.message(), request.deadlineNanos(), request);
    } catch (Throwable e) { // code of users, and hostile bytes: it must not get further than here
      String why = RemoteCallException.describe(e);
      refs.rejected(request.from(), "a creation: " + why);
      refuse(ref, request, "its argument is none of " + entry.function() + ": " + why);
      return;
    }
    if (!request.begin()) {
      creation.values.close();
      neverMade(ref, request);
      return;
    }
    ForkId root = ref.root();
    boolean first = creations.putIfAbsent(ref, creation) == null;
    boolean accepted = false;
    if (first) {
      var call = new RemoteCall(root, creation.values.forks());
      for (Effect effect : refs.received(request.from(), call)) {
        accepted |= effect instanceof Effect.Send;
      }
    }
    if (!accepted) {
      if (first) {
        creations.remove(ref);
      }
      request.message().close();
      request.reply(REFUSED, Message.of(new byte[0]));
    }
  }

  private <A, R> Creation<A, R> read(
      RRefId ref,
      RpcRegistry.Entry<A, R> entry,
      MessageReader in,
      Message message,
      long deadlineNanos,
      @Nullable IncomingRequest request) {
    IncomingForks values = new IncomingForks(refs, ref.creator());
    in.attach(values);
    A argument = entry.function().argument().read(in);
    in.end();
    AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    return new Creation<>(
        this, ref, entry, argument, values, message, deadlineNanos, request, state);
  }

  // Effects.

  /** The owner has entered the reference. */
  void accept(ForkId root) {
    Creation<?, ?> creation = creations.get(root.ref());
    if (creation != null && creation.request != null) {
      creation.request.reply(ACCEPTED, Message.of(new byte[0]));
    }
  }

  /** The arguments are confirmed. */
  void run(RRefId ref) {
    Objects.requireNonNull(creations.get(ref)).run();
  }

  /** An argument cannot be used. */
  void refuse(RRefId ref) {
    Creation<?, ?> creation = Objects.requireNonNull(creations.get(ref));
    creation.message.close();
    creation.end(new Outcome.Refused(Reason.CREATION_FAILED));
  }
}
