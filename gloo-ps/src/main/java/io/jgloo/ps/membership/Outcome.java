package io.jgloo.ps.membership;

import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.JGlooException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * The outcome of a request: a reply or a {@link JGlooException}. Completes in the thread that runs
 * the messenger's events.
 */
public final class Outcome extends CompletableFuture<Outcome.Reply> implements ReplyHandler {

  /** A reply, which belongs to the one that asked. */
  public record Reply(int status, Message message) {

    /** Copies its bytes and closes it. */
    public byte[] bytes() {
      int from = message.offset();
      byte[] bytes = Arrays.copyOfRange(message.bytes(), from, from + message.length());
      message.close();
      return bytes;
    }

    /** Its bytes as text; closes it. */
    public String text() {
      return new String(bytes(), StandardCharsets.UTF_8);
    }
  }

  private volatile JGlooException failure;
  PendingCall call; // set by Members.request

  @Override
  public void replied(int status, Message message) {
    complete(new Reply(status, message));
  }

  @Override
  public void failed(JGlooException cause) {
    failure = cause;
    completeExceptionally(cause);
  }

  /** Gives the request up, if it has no outcome; it has one soon then. */
  public void giveUp() {
    call.cancel();
  }

  /** Why there is no reply, or null. */
  public JGlooException failure() {
    return failure;
  }
}
