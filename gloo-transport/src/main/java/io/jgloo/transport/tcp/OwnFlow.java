package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;

/**
 * The rules between two JGloo ranks.
 *
 * <p>A message goes <i>eagerly</i>, payload behind its header, while the peer's window for messages
 * without a posted receive has room; else it is <i>announced</i> and sent when the peer grants it.
 * So nothing a peer has not asked for can fill its memory, and no message waits behind another
 * slot's.
 */
final class OwnFlow extends Flow {

  private long eagerSent;
  private long eagerMatchedByPeer;
  private long eagerMatched;
  private long eagerTold;
  private long strayCost;

  OwnFlow(TcpPair pair) {
    super(pair);
  }

  /** What a message of this length counts against a window: its bytes and the bookkeeping. */
  private static long cost(long length) {
    return length + 64;
  }

  @Override
  void send(TcpRequest request) {
    long length = request.length();
    boolean eager =
        length <= pair.mesh().settings().eagerBytes()
            && eagerSent - eagerMatchedByPeer + cost(length) <= pair.peerWindow();
    if (eager) {
      eagerSent += cost(length);
    }
    pair.outbox().queue(eager ? Frame.EAGER : Frame.ANNOUNCE, request);
    pair.outbox().flush();
  }

  @Override
  boolean cancelSend(TcpRequest request) {
    Outbox outbox = pair.outbox();
    Outgoing frame = outbox.waiting().find(request);
    if (frame != null && frame.opcode == Frame.DATA) {
      frame.opcode = Frame.WITHDRAWN;
      frame.length = 0;
      frame.request = null;
    } else if (frame != null) {
      if (frame.opcode == Frame.EAGER) {
        eagerSent -= cost(frame.length);
      }
      outbox.discard(frame);
    } else {
      frame = outbox.announced().find(request);
      if (frame == null) {
        return false;
      }
      frame.request = null;
    }
    request.cancel();
    return true;
  }

  @Override
  void post(TcpRequest request) {
    Stray stray = find(request.slot());
    if (stray == null) {
      matching().posted().add(request);
    } else {
      serve(request, stray);
    }
  }

  @Override
  boolean cancelReceive(TcpRequest request) {
    if (!matching().posted().remove(request)) {
      return false;
    }
    request.cancel();
    return true;
  }

  @Override
  Stray find(long slot) {
    return matching().find(slot);
  }

  @Override
  void serve(TcpRequest request, Stray stray) {
    stray.claimedBy = request;
    pair.check(request, stray.slot, stray.length, stray.fingerprintHigh, stray.fingerprintLow);
    if (stray.announced) {
      matching().remove(stray);
      grant(request, stray.length);
      pair.mesh().strays().giveBack(stray);
    } else {
      matching().deliver(stray, request);
    }
  }

  @Override
  void header(long at) {
    int opcode = Frame.opcode(at);
    long slot = Frame.slot(at);
    long length = Frame.length(at);
    matchedByPeer(Frame.credit(at));
    switch (opcode) {
      case Frame.EAGER -> eager(at, slot, length);
      case Frame.ANNOUNCE -> announced(at);
      case Frame.DATA -> data(granted(slot, length), length);
      case Frame.WITHDRAWN -> withdrawn(slot);
      case Frame.GRANT -> asked(slot, length);
      case Frame.ABORT -> {
        if (length == 0 || length > AbortNotice.MAX_BYTES) {
          throw new ProtocolException("an abort notice of " + length + " bytes");
        }
        pair.inbox().beginNotice((int) length);
      }
      case Frame.GOODBYE -> pair.departed();
      default -> {
        // CREDIT: the header said it all.
      }
    }
  }

  /** The peer tells how much of the eager cost it has matched so far. */
  private void matchedByPeer(long cost) {
    if (cost < eagerMatchedByPeer || cost > eagerSent) {
      throw new ProtocolException(
          ("credit for " + cost + " bytes after " + eagerMatchedByPeer)
              + (", of " + eagerSent + " sent"));
    }
    eagerMatchedByPeer = cost;
  }

  private void eager(long at, long slot, long length) {
    if (length > pair.mesh().settings().windowBytes()) {
      throw new ProtocolException("an eager message of " + length + " bytes");
    }
    TcpRequest request = matching().take(slot);
    if (request != null) {
      pair.inbox().aim(request);
      pair.check(request, slot, length, Frame.fingerprintHigh(at), Frame.fingerprintLow(at));
      matched(length);
      pair.inbox().begin(request, length);
      return;
    }
    strayCost += cost(length);
    if (strayCost > pair.mesh().settings().windowBytes()) {
      throw new ProtocolException(
          "more than " + pair.mesh().settings().windowBytes() + " bytes that nobody asked for");
    }
    Stray arrived = pair.mesh().strays().take(length);
    pair.inbox().hold(describe(arrived, at, false), length);
  }

  /** A message was announced. */
  private void announced(long header) {
    long length = Frame.length(header);
    TcpRequest request = matching().take(Frame.slot(header));
    if (request == null) {
      Stray stray = pair.mesh().strays().take(0);
      matching().add(describe(stray, header, true));
      return;
    }
    matching().posted().addFirst(request); // where failAll finds it if the check fails
    pair.check(
        request,
        Frame.slot(header),
        length,
        Frame.fingerprintHigh(header),
        Frame.fingerprintLow(header));
    matching().posted().remove(request);
    grant(request, length);
  }

  /** Describes the message a header speaks of. */
  private Stray describe(Stray stray, long header, boolean announced) {
    stray.describe(Frame.slot(header), Frame.length(header), announced, pair.mesh().nextOrder());
    stray.fingerprintHigh = Frame.fingerprintHigh(header);
    stray.fingerprintLow = Frame.fingerprintLow(header);
    return stray;
  }

  private void grant(TcpRequest request, long length) {
    request.expected = length;
    matching().granted().add(request);
    long granule = request.reduction() == null ? 0 : request.granule();
    pair.outbox().control(Frame.GRANT, request.slot(), granule);
  }

  /** Granted data: some of it may come by other connections. */
  private void data(TcpRequest request, long length) {
    pair.inbox().aim(request); // where failAll finds it if what follows fails
    pair.inbox().beginPart(request, pair.lanes().expect(request, length));
  }

  /** The receive that granted data of this slot belong to, taken out. */
  private TcpRequest granted(long slot, long length) {
    TcpRequest request = matching().granted().find(slot);
    if (request == null || length != request.expected) {
      throw new ProtocolException(
          length + " bytes of data that were not asked for, or not that many");
    }
    matching().granted().remove(request);
    return request;
  }

  /** The peer asks for the oldest announced message of a slot. */
  private void asked(long slot, long granule) {
    if (granule > TcpRequest.MAX_GRANULE) {
      throw new ProtocolException("a grant for elements of " + granule + " bytes");
    }
    Outgoing frame = pair.outbox().announced().take(slot);
    if (frame == null) {
      throw new ProtocolException("a grant for a slot on which nothing was announced");
    }
    frame.opcode = frame.request == null ? Frame.WITHDRAWN : Frame.DATA;
    frame.length = frame.request == null ? 0 : frame.length;
    frame.granule = Math.max(1, granule);
    pair.outbox().queue(frame);
    pair.outbox().flush();
  }

  /** The peer withdrew what we had granted: the receive waits for the next message. */
  private void withdrawn(long slot) {
    TcpRequest request = matching().granted().find(slot);
    if (request == null) {
      throw new ProtocolException("a message was withdrawn that was not asked for");
    }
    matching().granted().remove(request);
    Stray stray = find(slot);
    if (stray != null) {
      serve(request, stray);
    } else if (request.peers != null) {
      pair.mesh().any().post(request);
    } else {
      matching().posted().addFirst(request);
    }
  }

  @Override
  void write(long at, Outgoing frame) {
    eagerTold = eagerMatched;
    Frame.write(
        at,
        frame.opcode,
        frame.slot,
        frame.length,
        frame.fingerprintHigh,
        frame.fingerprintLow,
        eagerMatched);
  }

  @Override
  void delivered(long length) {
    strayCost -= cost(length);
    matched(length);
  }

  /** An eager message has found its receive, so its place in the window is free again. */
  private void matched(long length) {
    eagerMatched += cost(length);
    long untold = eagerMatched - eagerTold;
    if (untold >= pair.mesh().settings().windowBytes() / 4 && !pair.hasDeparted()) {
      pair.outbox().control(Frame.CREDIT, 0, 0);
    }
  }

  @Override
  boolean mayEndUntold() {
    return false;
  }

  @Override
  boolean giveUp(byte[] notice) {
    return pair.outbox().farewell(Frame.ABORT, notice);
  }

  @Override
  void leave() {
    pair.outbox().farewell(Frame.GOODBYE, null);
  }

  private Matching matching() {
    return pair.inbox().matching();
  }
}
