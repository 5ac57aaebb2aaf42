package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.Messenger;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What an agent offers to its {@link RpcExtension}.
 *
 * <pre>
 *   call     i64 function's id, i32 its types' id, argument
 *   failure  three strings: class, message and stack of what was thrown
 * </pre>
 *
 * <p><i>Threads</i>: any.
 */
public final class RpcHost {

  private static final int HEAD_BYTES = 12;
  private static final int MAX_STACK_CHARS = 8 * 1024;
  private static final int MAX_MESSAGE_CHARS = 2 * 1024;

  private final RpcAgent agent;
  private final Messenger messenger;
  private final Workers workers;
  private final Map<Long, RpcRegistry.Entry<?, ?>> functions;

  RpcHost(RpcAgent agent, Messenger messenger, Workers workers, RpcRegistry registry) {
    this.agent = agent;
    this.messenger = messenger;
    this.workers = workers;
    functions = registry.entries();
  }

  /** The agent; it may not have started. */
  public RpcAgent agent() {
    return agent;
  }

  /** What carries the agent's messages. */
  public Messenger messenger() {
    return messenger;
  }

  /** Writes a call. */
  public static <A> void writeCall(RpcFunction<A, ?> function, A argument, MessageWriter out) {
    out.putLong(function.id()).putInt(function.typesId());
    function.argument().write(argument, out);
  }

  /**
   * Finds the function that a call names; the argument follows.
   *
   * @throws NotExecutedException if there is none of that name and these types
   */
  public RpcRegistry.Entry<?, ?> readFunction(MessageReader in) {
    if (in.remaining() < HEAD_BYTES) {
      throw new NotExecutedException("it is no call of a function", null);
    }
    long id = in.getLong();
    int types = in.getInt();
    RpcRegistry.Entry<?, ?> entry = functions.get(id);
    if (entry == null) {
      throw new NotExecutedException(
          String.format("agent %s has no function of id %016x", agent.name(), id), null);
    }
    if (entry.function().typesId() != types) {
      throw new NotExecutedException(
          "agent " + agent.name() + " has " + entry.function() + ", of other types", null);
    }
    return entry;
  }

  /** Runs a task where bodies run; false if the agent is closed. */
  public boolean execute(Runnable task) {
    return workers.execute(task);
  }

  /**
   * Waits until a future is done, and moves messages meanwhile.
   *
   * @param future is completed by code that the agent runs, or by a thread that calls {@link
   *     Messenger#wakeup} next
   * @return whether it is done
   * @throws io.jgloo.transport.InterruptedOperationException if the thread is interrupted
   * @throws PoolExhaustedException if too many bodies wait
   */
  public boolean await(CompletableFuture<?> future, long deadlineNanos) {
    return agent.await(future, deadlineNanos);
  }

  /**
   * Waits until the values of a message can be used.
   *
   * @throws io.jgloo.transport.JGlooException if one cannot, or not in time
   */
  public void awaitUsable(RpcExtension.Incoming values, long deadlineNanos) {
    agent.awaitUsable(values, deadlineNanos);
  }

  /** Writes what a body threw. */
  public static Message failure(Throwable cause) {
    StringWriter stack = new StringWriter();
    cause.printStackTrace(new PrintWriter(stack));
    MessageWriter out = new MessageWriter(1024);
    Codecs.STRING.write(cause.getClass().getName(), out);
    Codecs.STRING.write(cut(String.valueOf(cause.getMessage()), MAX_MESSAGE_CHARS), out);
    Codecs.STRING.write(cut(stack.toString(), MAX_STACK_CHARS), out);
    return out.message();
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "...";
  }

  /** Reads what a body threw at an agent. */
  public static RemoteCallException readFailure(AgentId at, String what, MessageReader in) {
    return new RemoteCallException(at, what, in.getString(), in.getString(), in.getString());
  }
}
