package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** The body of a function threw at the agent that was called: it was executed. */
public final class RemoteCallException extends JGlooException {

  private static final long serialVersionUID = 1L;

  /** Precedes the stack of another agent. */
  private static final String THERE = "\nthere:\n";

  private final transient AgentId agent;
  private final String remoteType;
  private final String remoteMessage;
  private final String remoteStack;

  RemoteCallException(AgentId agent, String function, String type, String message, String stack) {
    super(
        function + " at agent " + agent + " threw " + type + ": " + message + THERE + stack, null);
    this.agent = agent;
    remoteType = type;
    remoteMessage = message;
    remoteStack = stack;
  }

  private RemoteCallException(
      String message, RemoteCallException original, @Nullable FailureContext context) {
    super(message, original, context);
    agent = original.agent;
    remoteType = original.remoteType;
    remoteMessage = original.remoteMessage;
    remoteStack = original.remoteStack;
  }

  /** Where it was thrown. */
  public AgentId agent() {
    return agent;
  }

  /** Name of the class of what the body threw; no such class need exist here. */
  public String remoteType() {
    return remoteType;
  }

  /** Message of what the body threw. */
  public String remoteMessage() {
    return remoteMessage;
  }

  /** Stack of what the body threw, as text. */
  public String remoteStack() {
    return remoteStack;
  }

  // How it travels: three strings, class, message and stack of what was thrown.

  private static final int MAX_STACK_CHARS = 8 * 1024;
  private static final int MAX_MESSAGE_CHARS = 2 * 1024;

  /** Writes what code of users threw, whose methods may throw too. */
  static Message failure(Throwable cause) {
    String stack;
    try {
      StringWriter text = new StringWriter();
      cause.printStackTrace(new PrintWriter(text));
      stack = text.toString();
    } catch (Throwable e) {
      stack = "(the stack cannot be printed: " + e.getClass().getName() + ")";
    }
    MessageWriter out = new MessageWriter(1024);
    out.putString(cause.getClass().getName());
    out.putString(cut(message(cause), MAX_MESSAGE_CHARS));
    out.putString(cut(stack, MAX_STACK_CHARS));
    return out.message();
  }

  /** Class and message of what code of users threw. */
  static String describe(Throwable cause) {
    return cause instanceof ProtocolException
        ? message(cause)
        : cause.getClass().getName() + ": " + message(cause);
  }

  private static String message(Throwable cause) {
    try {
      return String.valueOf(cause.getMessage());
    } catch (Throwable e) {
      return "(getMessage threw " + e.getClass().getName() + ")";
    }
  }

  /** Cuts a text, and keeps its begin and the root cause. */
  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int root = Math.max(text.lastIndexOf("\nCaused by: "), text.lastIndexOf(THERE));
    String end = root < 0 ? "" : text.substring(root);
    end = end.length() <= most / 2 ? end : end.substring(0, most / 2) + "...";
    return text.substring(0, most - end.length()) + "..." + end;
  }

  /** Reads what a body threw at an agent. */
  static RemoteCallException read(AgentId at, String what, MessageReader in) {
    return new RemoteCallException(at, what, in.getString(), in.getString(), in.getString());
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new RemoteCallException(message, this, context);
  }
}
