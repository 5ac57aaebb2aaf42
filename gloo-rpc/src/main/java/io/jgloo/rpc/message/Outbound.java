package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.transport.JGlooException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A message to one life of a peer, from its submission until the peer has acknowledged it.
 *
 * <p><i>Threads</i>: the one that runs the agent's events.
 */
class Outbound {

  final byte[] bytes;
  final int length;
  final Priority priority;

  /** Whether it uses up the peer's byte credit: requests and control messages, not replies. */
  final boolean counted;

  /** Its number in the session; 0 until it is sent for the first time. */
  long sequence;

  /** Whether it was given up before it was sent, and is to be passed over. */
  boolean withdrawn;

  Outbound(byte[] bytes, int length, Priority priority, boolean counted) {
    this.bytes = bytes;
    this.length = length;
    this.priority = priority;
    this.counted = counted;
  }

  /** Whether it counts as kept for the peer: requests, of which there may be any number. */
  boolean isLimited() {
    return false;
  }

  final boolean isSent() {
    return sequence != 0;
  }

  /** The peer has received it. */
  void acknowledged() {}

  /** The peer is lost: it has received the message only if that {@link #isSent was sent}. */
  void dropped(@Nullable JGlooException cause) {}

  /** A control message on its way. */
  static final class Control extends Outbound {

    private final AgentId to;
    private final CompletableFuture<Void> future = new CompletableFuture<>();

    Control(AgentId to, byte[] bytes) {
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
}
