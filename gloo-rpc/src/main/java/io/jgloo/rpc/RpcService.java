package io.jgloo.rpc;

import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.IncomingRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the functions that others call.
 *
 * <pre>
 *   request  call, as {@link RpcFunction#writeCall} writes it
 *   reply    status 0: result; status 1: failure, see {@link RemoteCallException#failure}
 * </pre>
 *
 * <p><i>Threads</i>: the one that runs the agent's events, and workers.
 */
final class RpcService implements Consumer<IncomingRequest> {

  static final int RETURNED = 0;
  static final int THREW = 1;

  private final RpcAgent agent;

  RpcService(RpcAgent agent) {
    this.agent = agent;
  }

  @Override
  public void accept(IncomingRequest request) {
    MessageReader in = new MessageReader(request.message());
    try {
      RpcRegistry.Entry<?, ?> entry = agent.functions().find(in, agent.name());
      execute(entry, request, () -> read(entry, request, in));
    } catch (NotExecutedException e) {
      request.refuse(String.valueOf(e.getMessage()));
    }
  }

  private void execute(RpcRegistry.Entry<?, ?> entry, IncomingRequest request, Runnable task) {
    if (entry.isDirect()) {
      task.run();
    } else if (!agent.execute(task)) {
      request.refuse("agent " + agent.name() + " is closed");
    }
  }

  private <A, R> void read(
      RpcRegistry.Entry<A, R> entry, IncomingRequest request, MessageReader in) {
    IncomingForks values = new IncomingForks(agent.rrefs(), request.from());
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
    RpcContext context = new RpcContext(agent, request.from(), request.deadlineNanos());
    entry.run(
        context, argument, agent::run, (result, thrown) -> answer(entry, request, result, thrown));
  }

  private <R> void answer(
      RpcRegistry.Entry<?, R> entry,
      IncomingRequest request,
      @Nullable R result,
      @Nullable Throwable thrown) {
    OutgoingForks values = new OutgoingForks(agent.rrefs(), request.from());
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
}
