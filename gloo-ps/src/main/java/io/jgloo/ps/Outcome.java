package io.jgloo.ps;

import io.jgloo.rpc.message.Message;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.GlooException;

/** The outcome of a request that a thread waits for. */
final class Outcome implements ReplyHandler {

  private int status;
  private Message reply;
  private GlooException failure;

  /** Written last, read first. */
  private volatile boolean done;

  @Override
  public void replied(int itsStatus, Message message) {
    status = itsStatus;
    reply = message;
    done = true;
  }

  @Override
  public void failed(GlooException cause) {
    failure = cause;
    done = true;
  }

  boolean isDone() {
    return done;
  }

  int status() {
    return status;
  }

  Message reply() {
    return reply;
  }

  /** Why there is no reply, or null. */
  GlooException failure() {
    return failure;
  }
}
