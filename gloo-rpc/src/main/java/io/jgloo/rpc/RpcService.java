package io.jgloo.rpc;

import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.Block;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.Message;
import io.jgloo.rpc.message.RequestHandler;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/**
 * Runs the functions that others call.
 *
 * <pre>
 *   request  i64 function's id, i32 its types' id, argument
 *   reply    status 0: result; status 1: three strings: class, message and stack of what was thrown
 * </pre>
 *
 * <p><i>Threads</i>: the one that runs the agent's events, and workers.
 */
final class RpcService implements RequestHandler {

  static final int RETURNED = 0;
  static final int THREW = 1;
  static final int HEAD_BYTES = 12;

  private static final int MAX_STACK_CHARS = 8 * 1024;
  private static final int MAX_MESSAGE_CHARS = 2 * 1024;

  private final RpcAgent agent;
  private final Workers workers;
  private final Map<Long, RpcRegistry.Entry<?, ?>> functions;

  RpcService(RpcAgent agent, Workers workers, RpcRegistry registry) {
    this.agent = agent;
    this.workers = workers;
    functions = registry.entries();
  }

  @Override
  public void received(IncomingRequest request) {
    if (request.message().length() < HEAD_BYTES) {
      request.refuse("it is no call of a function");
      return;
    }
    MessageReader in = new MessageReader(request.message());
    long id = in.getLong();
    int types = in.getInt();
    RpcRegistry.Entry<?, ?> entry = functions.get(id);
    if (entry == null) {
      request.refuse(String.format("agent %s has no function of id %016x", agent.name(), id));
    } else if (entry.function().typesId() != types) {
      request.refuse("agent " + agent.name() + " has " + entry.function() + ", of other types");
    } else if (entry.execution() == RpcRegistry.Execution.DIRECT) {
      run(entry, request, in);
    } else if (!workers.execute(() -> run(entry, request, in))) {
      request.refuse("agent " + agent.name() + " is closed");
    }
  }

  private <A, R> void run(
      RpcRegistry.Entry<A, R> entry, IncomingRequest request, MessageReader in) {
    A argument;
    try {
      argument = entry.function().argument().read(in);
      in.end();
    } catch (RuntimeException e) { // hostile bytes must not get further than here
      request.refuse("its argument is none of " + entry.function() + ": " + e.getMessage());
      return;
    }
    if (!request.begin()) {
      return;
    }
    MessageWriter out = new MessageWriter(64);
    int status;
    Message reply;
    try {
      RpcContext context = new RpcContext(agent, request.from(), request.deadlineNanos());
      R result = entry.body().run(context, argument);
      entry.function().result().write(result, out);
      reply = out.message();
      status = RETURNED;
    } catch (Throwable e) { // whatever a body throws is its result
      out.close();
      reply = thrown(e);
      status = THREW;
    }
    for (Block block : request.message().blocks()) {
      if (!reply.blocks().contains(block)) {
        block.close();
      }
    }
    request.reply(status, reply);
  }

  private static Message thrown(Throwable e) {
    StringWriter stack = new StringWriter();
    e.printStackTrace(new PrintWriter(stack));
    MessageWriter out = new MessageWriter(1024);
    Codecs.STRING.write(e.getClass().getName(), out);
    Codecs.STRING.write(cut(String.valueOf(e.getMessage()), MAX_MESSAGE_CHARS), out);
    Codecs.STRING.write(cut(stack.toString(), MAX_STACK_CHARS), out);
    return out.message();
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "...";
  }
}
