package io.jgloo.transport.engine;

import io.jgloo.transport.GlooException;

/**
 * The route of a pair that has ended alone: what is posted fails at once, but for receives of what
 * a peer that has left had sent.
 */
final class EndedRoute extends Route {

  private final GlooException cause;
  private final Route old;

  EndedRoute(EnginePair pair, GlooException cause, Route old) {
    super(pair);
    this.cause = cause;
    this.old = old;
  }

  @Override
  protected void send(EngineRequest request) {
    request.fail(cause);
  }

  @Override
  protected boolean cancelSend(EngineRequest request) {
    return false;
  }

  @Override
  protected void post(EngineRequest request) {
    UnexpectedMessage message = find(request.slot());
    if (message == null) {
      request.fail(cause);
    } else {
      serve(request, message);
    }
  }

  @Override
  protected boolean cancelReceive(EngineRequest request) {
    return false;
  }

  @Override
  protected UnexpectedMessage find(long slot) {
    return old.find(slot);
  }

  @Override
  protected void serve(EngineRequest request, UnexpectedMessage message) {
    old.serve(request, message);
  }

  @Override
  protected boolean isSending() {
    return false;
  }

  @Override
  protected boolean isReceiving() {
    return false;
  }

  /** Nothing is to be connected. */
  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  protected void flush() {}

  @Override
  protected void failAll(GlooException later) {
    old.failAll(later);
  }

  @Override
  protected String where() {
    return old.where();
  }
}
