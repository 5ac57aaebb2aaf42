package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;

/**
 * The route of a pair that has ended while its mesh goes on: requests fail at once, except receives
 * of messages that have arrived from a peer that has left.
 */
final class EndedRoute extends Route {

  private final JGlooException cause;
  private final Route old;
  private final ByteMover mover = new NoMover();

  EndedRoute(EnginePair pair, JGlooException cause, Route old) {
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
  protected ByteMover mover() {
    return mover;
  }

  @Override
  protected void flush() {}

  /** Moves nothing, and wants no connection. */
  private final class NoMover implements ByteMover {
    @Override
    public String medium() {
      return "not connected";
    }

    @Override
    public boolean isConnected() {
      return true;
    }

    @Override
    public boolean isSending() {
      return false;
    }

    @Override
    public boolean isReceiving() {
      return false;
    }

    @Override
    public void expectMessage() {}

    @Override
    public String where() {
      return old.mover().where();
    }

    @Override
    public void failSends(JGlooException later) {}

    @Override
    public void failAll(JGlooException later) {
      old.failAll(later);
    }
  }
}
