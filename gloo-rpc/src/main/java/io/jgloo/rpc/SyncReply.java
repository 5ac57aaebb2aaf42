package io.jgloo.rpc;

import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The outcome of a call that a thread waits for. */
final class SyncReply implements ReplyHandler {
  /** What a thread waits for that does not move messages meanwhile. */
  private final @Nullable CompletableFuture<Void> ended;

  private final OutgoingForks values;
  private int status;

  @SuppressWarnings("NullAway.Init") // set by replied, before done
  private Message message;

  private @Nullable JGlooException failure;

  /** Written last, read first: what is above is seen with it. */
  private volatile boolean done;

  /**
   * @param values of the call's argument
   * @param parks whether the thread that waits does not move messages
   */
  SyncReply(OutgoingForks values, boolean parks) {
    ended = parks ? new CompletableFuture<>() : null;
    this.values = values;
  }

  @Override
  public void replied(int status, Message reply) {
    this.status = status;
    message = reply;
    end();
  }

  @Override
  public void failed(JGlooException cause) {
    values.failed();
    failure = cause;
    end();
  }

  private void end() {
    done = true;
    if (ended != null) {
      ended.complete(null);
    }
  }

  /** Whether the calling thread is to {@link #park}. */
  boolean parks() {
    return ended != null;
  }

  /** Status of the reply; throws if there is none. */
  int status(String function) {
    if (failure != null) {
      throw failure.again(function);
    }
    return status;
  }

  Message message() {
    return message;
  }

  boolean isDone() {
    return done;
  }

  void park() {
    try {
      Objects.requireNonNull(ended).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("the waiting thread was interrupted", e);
    } catch (ExecutionException e) {
      throw new AssertionError("nothing fails this future", e);
    }
  }
}
