package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.RequestHandler;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.Reason;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The owner's end of REMOTE_CALL: runs the function, and its result is the value.
 *
 * <p><i>Threads</i>: the one that runs the agent's events, and workers.
 */
final class CreationService implements RequestHandler {

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
      CreationService service,
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
        service.creations.remove(ref);
      } else if (entry.isDirect()) {
        body();
      } else if (!service.refs.agent().execute(this::body)) {
        end(new Outcome.Refused(Reason.CREATION_FAILED));
      }
    }

    private void body() {
      RpcContext context = new RpcContext(service.refs.agent(), ref.creator(), deadlineNanos);
      entry.run(context, argument, service.refs.agent()::run, this::ended);
    }

    @SuppressWarnings("NullAway") // a function may return null, which its codec refuses or takes
    private void ended(@Nullable R result, @Nullable Throwable thrown) {
      Outcome outcome =
          thrown != null
              ? new Outcome.Thrown(RemoteCallException.failure(thrown))
              : new Outcome.Value(
                  new Stored(
                      service.refs.agent(), result, entry.function().result(), entry.isDirect()));
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
        service.refs.values.set(ref, late);
      } else if (state.get() == State.RUNS) {
        end(late);
      }
    }

    private void end(Outcome outcome) {
      service.creations.remove(ref);
      service.refs.values.set(ref, outcome);
    }
  }

  private final RRefs refs;
  private final Map<RRefId, Creation<?, ?>> creations = new ConcurrentHashMap<>();

  CreationService(RRefs refs) {
    this.refs = refs;
  }

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
  public void received(IncomingRequest request) {
    MessageReader in = new MessageReader(request.message());
    RRefId ref;
    try {
      ref = new RRefId(refs.self(), request.from(), ControlCodec.readNumber(in));
    } catch (io.jgloo.rpc.codec.CodecException e) {
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
    refs.received(request.from(), new io.jgloo.rpc.rref.protocol.Message.UserDelete(ref.root()));
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
      var call = new io.jgloo.rpc.rref.protocol.Message.RemoteCall(root, creation.values.forks());
      for (Effect effect : refs.received(request.from(), call)) {
        accepted |= effect instanceof Effect.Send;
      }
    }
    if (!accepted) {
      if (first) {
        creations.remove(ref);
      }
      request.message().close();
      request.reply(Creations.REFUSED, Message.of(new byte[0]));
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
      creation.request.reply(Creations.ACCEPTED, Message.of(new byte[0]));
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
