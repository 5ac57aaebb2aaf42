package io.jgloo.ps.membership;

import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.JGlooException;

/** The outcome of a request that a thread waits for. */
public final class Outcome implements ReplyHandler {

  private int status;
  private Message reply;
  private JGlooException failure;

  /** Written last, read first. */
  private volatile boolean done;

  @Override
  public void replied(int itsStatus, Message message) {
    status = itsStatus;
    reply = message;
    done = true;
  }

  @Override
  public void failed(JGlooException cause) {
    failure = cause;
    done = true;
  }

  public boolean isDone() {
    return done;
  }

  public int status() {
    return status;
  }

  public Message reply() {
    return reply;
  }

  /** Why there is no reply, or null. */
  public JGlooException failure() {
    return failure;
  }
}
