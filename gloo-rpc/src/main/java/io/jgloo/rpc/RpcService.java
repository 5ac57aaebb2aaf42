package io.jgloo.rpc;

import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.RequestHandler;

/**
 * Runs the functions that others call.
 *
 * <pre>
 *   request  call, as {@link RpcHost} draws it
 *   reply    status 0: result; status 1: failure
 * </pre>
 *
 * <p><i>Threads</i>: the one that runs the agent's events, and workers.
 */
final class RpcService implements RequestHandler {

  static final int RETURNED = 0;
  static final int THREW = 1;

  private final RpcHost host;
  private final RpcExtension extension;

  RpcService(RpcHost host, RpcExtension extension) {
    this.host = host;
    this.extension = extension;
  }

  @Override
  public void received(IncomingRequest request) {
    MessageReader in = new MessageReader(request.message());
    try {
      RpcRegistry.Entry<?, ?> entry = host.readFunction(in);
      execute(entry, request, () -> read(entry, request, in));
    } catch (NotExecutedException e) {
      request.refuse(String.valueOf(e.getMessage()));
    }
  }

  private void execute(RpcRegistry.Entry<?, ?> entry, IncomingRequest request, Runnable task) {
    if (entry.execution() == RpcRegistry.Execution.DIRECT) {
      task.run();
    } else if (!host.execute(task)) {
      request.refuse("agent " + host.agent().name() + " is closed");
    }
  }

  private <A, R> void read(
      RpcRegistry.Entry<A, R> entry, IncomingRequest request, MessageReader in) {
    RpcExtension.Incoming values = extension.incoming(request.from());
    A argument;
    try {
      argument = entry.function().argument().read(in.attach(values));
      in.end();
    } catch (RuntimeException e) { // hostile bytes must not get further than here
      request.refuse("its argument is none of " + entry.function() + ": " + e.getMessage());
      return;
    }
    values.whenUsable(
        task -> execute(entry, request, task),
        () -> run(entry, request, argument),
        cause -> request.refuse(String.valueOf(cause.getMessage())));
  }

  private <A, R> void run(RpcRegistry.Entry<A, R> entry, IncomingRequest request, A argument) {
    if (!request.begin()) {
      return;
    }
    RpcExtension.Outgoing values = extension.outgoing(request.from());
    MessageWriter out = new MessageWriter(64).attach(values);
    int status;
    Message reply;
    try {
      RpcContext context = new RpcContext(host.agent(), request.from(), request.deadlineNanos());
      R result = entry.body().run(context, argument);
      entry.function().result().write(result, out);
      reply = out.message();
      status = RETURNED;
    } catch (Throwable e) { // whatever a body throws is its result
      values.dropped();
      out.close();
      reply = RpcHost.failure(e);
      status = THREW;
    }
    for (Block block : request.message().blocks()) {
      if (!reply.blocks().contains(block)) {
        block.close();
      }
    }
    request.reply(status, reply);
    if (status == RETURNED) {
      values.replied(request.deadlineNanos());
    }
  }
}
