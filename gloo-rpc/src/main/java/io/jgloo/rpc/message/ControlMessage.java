package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.transport.JGlooException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A control message on its way.
 *
 * <p><i>Threads</i>: as {@link Outbound}.
 */
final class ControlMessage extends Outbound {

  private final AgentId to;
  private final CompletableFuture<Void> future = new CompletableFuture<>();

  ControlMessage(AgentId to, byte[] bytes) {
    super(bytes, bytes.length, Priority.HIGH, true);
    this.to = to;
  }

  CompletableFuture<Void> future() {
    return future;
  }

  @Override
  void acknowledged() {
    future.complete(null);
  }

  @Override
  void dropped(@Nullable JGlooException cause) {
    String reason = cause == null ? "it is not there" : cause.getMessage();
    future.completeExceptionally(
        isSent()
            ? new OutcomeUnknownException(
                "agent " + to + " was lost before it acknowledged a message: " + reason, cause)
            : new NotExecutedException(
                "a message to agent " + to + " was not sent: " + reason, cause));
  }
}
