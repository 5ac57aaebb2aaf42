package io.jgloo.transport.engine;

import io.jgloo.transport.ProtocolException;

/**
 * The rules between two JGloo ranks, on every transport.
 *
 * <p>A message goes <i>eagerly</i>, payload behind its header, while the peer's window for
 * unexpected messages has room; else it is <i>announced</i> and sent when the peer grants it. So
 * unexpected messages cannot fill the peer's memory, and no message waits behind one of another
 * slot.
 */
public abstract class CreditRoute extends Route {

  private final CreditAccount credit;
  private final long window;

  /**
   * @param credit of this pair
   * @param window bytes of unexpected messages that this side holds for the peer
   */
  protected CreditRoute(EnginePair pair, CreditAccount credit, long window) {
    super(pair);
    this.credit = credit;
    this.window = window;
  }

  // What a transport supplies.

  /** Longest message like this one that is sent eagerly. */
  protected abstract long eagerBytes(EngineRequest send);

  /** Bytes of unexpected messages that the peer holds for this side. */
  protected abstract long peerWindow();

  /** Whether bytes of an announced message have moved, or are about to. */
  protected abstract boolean isMoving(Outgoing announced);

  /** Withdraws a frame that carries a granted message; false if it does not. */
  protected abstract boolean withdrawGranted(Outgoing frame);

  /** Grants an announced message. */
  protected abstract void grant(EngineRequest request, long length, int number);

  /** The payload of an eager message is here, or follows: it is the receive's. */
  protected abstract void arrive(EngineRequest request, long length);

  /** The payload of an eager message is here, or follows: it has no receive. */
  protected abstract void hold(UnexpectedMessage message);

  /** Queues an eager send whose bytes the peer will read where they are; null if it cannot. */
  protected Outgoing sendInPlace(EngineRequest request) {
    return null;
  }

  /** The bytes of an unexpected message that are still on their way go to this receive. */
  protected abstract void claim(EngineRequest request);

  /** A credit is due: the peer needs the total that has been matched. */
  protected abstract void creditDue();

  // Sending.

  protected final CreditAccount credit() {
    return credit;
  }

  @Override
  protected final void send(EngineRequest request) {
    long length = request.length();
    boolean eager = length <= eagerBytes(request) && credit.admits(length, peerWindow());
    if (eager) {
      credit.spend(length);
    }
    Outgoing frame = eager ? sendInPlace(request) : null;
    if (frame == null) {
      frame = sends.add(eager ? SendQueue.EAGER : SendQueue.ANNOUNCE, request);
    }
    frame.eager = eager;
    flush();
  }

  @Override
  protected final boolean cancelSend(EngineRequest request) {
    Outgoing frame = sends.waiting().find(request);
    if (frame == null) {
      frame = sends.announced().find(request);
      if (frame == null || isMoving(frame)) {
        return false;
      }
      frame.request =
          null; // the peer has the announcement, and gets the withdrawal in answer to its grant
    } else if (!withdrawGranted(frame)) {
      if (frame.eager) {
        credit.refund(frame.length);
      }
      sends.discard(frame);
    }
    request.endCancelled();
    return true;
  }

  // Receiving.

  @Override
  protected final void post(EngineRequest request) {
    UnexpectedMessage message = find(request.slot());
    if (message == null) {
      matching.posted().add(request);
    } else {
      serve(request, message);
    }
  }

  @Override
  protected final boolean cancelReceive(EngineRequest request) {
    if (!matching.posted().remove(request)) {
      return false;
    }
    request.endCancelled();
    return true;
  }

  @Override
  protected final UnexpectedMessage find(long slot) {
    return matching.find(slot);
  }

  @Override
  protected final void serve(EngineRequest request, UnexpectedMessage message) {
    message.claimedBy = request;
    matching.check(request, message);
    if (message.isAnnounced()) {
      long length = message.length();
      int number = message.number();
      matching.remove(message);
      matching.begin(request);
      pair.mesh().unexpected().giveBack(message);
      grant(request, length, number);
      matching.end();
    } else if (message.isComplete()) {
      matching.deliver(message, request);
      matched(message.length());
      pair.mesh().unexpected().giveBack(message);
    } else {
      claim(request);
    }
  }

  /** An unexpected message has been given to its receive, whole or what there was of it. */
  protected final void matched(long length) {
    credit.release(length);
    tellCredit();
  }

  private void tellCredit() {
    if (credit.isReportDue() && !pair.hasDeparted()) {
      creditDue();
    }
  }

  /** The header of an eager message has arrived. */
  protected final void eager(long header) {
    long slot = Header.slot(header);
    long length = Header.length(header);
    if (length > window) {
      throw new ProtocolException(
          "an eager message of " + length + " bytes; the window is " + window);
    }
    EngineRequest request = matching.take(slot);
    if (request != null) {
      matching.begin(request);
      matching.checkHeader(request, header);
      credit.match(length);
      arrive(request, length);
      matching.end();
      tellCredit();
      return;
    }
    credit.hold(length);
    hold(remember(header, pair.mesh().unexpected().take(length), false));
  }

  /** A message was announced. */
  protected final void announced(long header, int number) {
    EngineRequest request = matching.take(Header.slot(header));
    if (request != null) {
      matching.begin(request);
      matching.checkHeader(request, header);
      grant(request, Header.length(header), number);
      matching.end();
      return;
    }
    remember(header, pair.mesh().unexpected().take(0), true).number(number);
  }

  private UnexpectedMessage remember(long header, UnexpectedMessage message, boolean announced) {
    long order = pair.mesh().nextOrder();
    message.describe(Header.slot(header), Header.length(header), announced, order);
    message.fingerprint(Header.fingerprintHigh(header), Header.fingerprintLow(header));
    matching.add(message);
    return message;
  }

  /** The peer withdrew the message that this receive had granted: it waits for the next one. */
  protected final void withdrawn(EngineRequest request) {
    UnexpectedMessage message = find(request.slot());
    if (message != null) {
      serve(request, message);
    } else if (request.isFromAny()) {
      pair.mesh().any().post(request);
    } else {
      matching.posted().addFirst(request);
    }
  }
}
