package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;

/**
 * The protocol of one pair: the rules of a wire and the byte mover below them.
 *
 * <p>A transport supplies one for each pair. Matching, receives from any rank and the state of
 * requests are the engine's; headers, and which side may send when, are the route's.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Fails</i>: what a method throws fails the pair.
 */
public abstract class Route {

  protected final EnginePair pair;
  protected final Matching matching;

  /** What is to be sent. */
  protected final SendQueue sends = new SendQueue();

  protected Route(EnginePair pair) {
    this.pair = pair;
    matching = new Matching(pair);
  }

  public final EnginePair pair() {
    return pair;
  }

  public final Matching matching() {
    return matching;
  }

  /** Queues the announcement of a send, or its bytes if they may be sent; sends what fits. */
  protected abstract void send(EngineRequest request);

  /** Withdraws a send; false if it is too late. */
  protected abstract boolean cancelSend(EngineRequest request);

  /** Posts a receive, or serves it with a message that is here already. */
  protected abstract void post(EngineRequest request);

  /** Withdraws a receive that no message has been matched with; false if it is too late. */
  protected abstract boolean cancelReceive(EngineRequest request);

  /** The message that is next for a receive from any rank on this slot, or null. */
  protected abstract UnexpectedMessage find(long slot);

  /** Gives a message that is here, or announced, to a receive. */
  protected abstract void serve(EngineRequest request, UnexpectedMessage message);

  /** What moves the bytes. */
  protected abstract ByteMover mover();

  /** Sends what has been held back for the next frame. */
  protected abstract void flush();

  /** Whether a send is not done. */
  final boolean isSending() {
    return sends.isPending() || mover().isSending();
  }

  /** Whether a receive waits for this peer, or takes its message just now. */
  final boolean isReceiving() {
    return matching.isAsked() || mover().isReceiving();
  }

  /** A request of this slot that waits for the peer, or null. */
  final EngineRequest awaiting(long slot) {
    EngineRequest receive = matching.posted().find(slot);
    if (receive == null) {
      receive = matching.granted().find(slot);
    }
    return receive == null ? sends.find(slot) : receive;
  }

  /** Fails every request; the user's memory is not touched any more. */
  final void failAll(JGlooException cause) {
    matching.failAll(cause);
    sends.failAll(cause);
    mover().failAll(cause);
  }

  /** Fails what waits for a peer that has left; messages that have arrived stay. */
  final void failWaiting(JGlooException cause) {
    matching.failWaiting(cause);
    sends.failAll(cause);
    mover().failSends(cause);
  }
}
