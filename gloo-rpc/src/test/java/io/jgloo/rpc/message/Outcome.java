package io.jgloo.rpc.message;

import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.JGlooException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The outcome of a request, for a thread that waits for it. */
final class Outcome implements ReplyHandler {

  private final CompletableFuture<Object> outcome = new CompletableFuture<>();
  private volatile Message reply;
  private volatile PendingCall call;

  void call(PendingCall itsCall) {
    call = itsCall;
  }

  PendingCall call() {
    return call;
  }

  @Override
  public void replied(int status, Message message) {
    reply = message;
    if (!outcome.complete(status)) {
      throw new AssertionError("a second outcome");
    }
  }

  @Override
  public void failed(JGlooException cause) {
    if (!outcome.complete(cause)) {
      throw new AssertionError("a second outcome", cause);
    }
  }

  Object get() throws Exception {
    return outcome.get(40, TimeUnit.SECONDS);
  }

  boolean isDone() {
    return outcome.isDone();
  }

  int status() throws Exception {
    Object result = get();
    if (result instanceof JGlooException failure) {
      throw failure;
    }
    return (int) result;
  }

  JGlooException failure() throws Exception {
    return (JGlooException) get();
  }

  void close() {
    reply.close();
  }
}
