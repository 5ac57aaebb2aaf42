package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** The body of a function threw at the agent that was called: it was executed. */
public final class RemoteCallException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient AgentId agent;
  private final String remoteType;
  private final String remoteMessage;
  private final String remoteStack;

  RemoteCallException(AgentId agent, String function, String type, String message, String stack) {
    super(
        function + " at agent " + agent + " threw " + type + ": " + message + "\nthere:\n" + stack,
        null);
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

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new RemoteCallException(message, this, context);
  }
}
