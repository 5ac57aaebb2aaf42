package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.User;
import io.jgloo.transport.JGlooException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The user's end of REMOTE_CALL: a request of the messenger, which does not lose or repeat it.
 *
 * <pre>
 *   request  i64 number of the root fork, call
 *   reply    status 0: accepted; status 1: refused, string why
 * </pre>
 *
 * <p><i>Threads</i>: any.
 */
final class Creations {

  static final int ACCEPTED = 0;
  static final int REFUSED = 1;

  private record Call(io.jgloo.rpc.codec.Message message, long deadlineNanos) {}

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
    io.jgloo.rpc.codec.Message content =
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
  void send(Message.RemoteCall message) {
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
              public void replied(int status, io.jgloo.rpc.codec.Message reply) {
                reply.close();
                if (status == ACCEPTED) {
                  refs.received(root.owner(), new Message.UserAccept(root));
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
}
