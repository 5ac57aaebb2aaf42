package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import io.jgloo.transport.SlotChain;
import java.io.IOException;

/**
 * The rules of C++ Gloo.
 *
 * <p>Each send is announced once, each receive gives one credit, without either waiting for the
 * other; a payload goes when it has taken a credit, and never before: C++ ends its process at one
 * it has not asked for. <i>Bound</i> messages go at once, with the place they are for. There are no
 * good-byes and no reasons: whoever is done, or gives up, closes.
 *
 * <p>Numbers of one slot are interchangeable, so a receive can be withdrawn: its credit serves the
 * next one. A receive from any gives its credit to the first peer that has announced.
 */
final class GlooFlow extends Flow {

  /** What a message that is held counts beside its bytes. */
  private static final long HELD_BYTES = 128;

  private final Ledgers ledgers = new Ledgers();

  /** Whether the mesh's batch will flush the outbox. */
  private boolean batched;

  /** Whether nothing has flushed it since. */
  private boolean holdsBack;

  /** Bytes of messages that came before their receives, and their bookkeeping. */
  private long held;

  GlooFlow(TcpPair pair) {
    super(pair);
  }

  // Sending.

  @Override
  void send(TcpRequest request) {
    Outbox outbox = pair.outbox();
    Ledger ledger = request.isBound() ? null : ledgers.find(request.slot());
    if (request.isBound()) {
      outbox.queue(Frame.BOUND, request);
    } else if (ledger != null && ledger.credits > 0) {
      takeCredit(ledger);
      outbox.controlLater(Frame.ANNOUNCE, request.slot(), request.length());
      outbox.queue(Frame.DATA, request);
    } else {
      outbox.queue(Frame.ANNOUNCE, request);
      dispatch(false); // only a receive from any waits for it
      pair.mesh().hotPair().expect(pair);
      return;
    }
    dispatch(true);
  }

  /** Sends what is queued, now or, if its thread has more to post, with that. */
  private void dispatch(boolean urgent) {
    Outbox outbox = pair.outbox();
    Batch batch = pair.mesh().engine().batch();
    holdsBack = batch.isCollecting() && outbox.stage();
    if (!holdsBack) {
      outbox.flush();
    } else if (batched) {
      batch.hurry(urgent);
    } else {
      batched = true;
      batch.add(this, urgent);
    }
  }

  @Override
  boolean holdsBack() {
    return holdsBack;
  }

  /** The batch is over. */
  void flush() {
    batched = false;
    holdsBack = false;
    pair.outbox().flush();
  }

  private void grant(long slot, long length) {
    pair.outbox().controlLater(Frame.GRANT, slot, length);
    dispatch(true);
  }

  /** The peer has posted a receive. */
  private void credited(long slot) {
    Outbox outbox = pair.outbox();
    Outgoing frame = outbox.announced().take(slot);
    if (frame != null) {
      frame.opcode = Frame.DATA;
      outbox.queue(frame);
    } else {
      Outgoing unsaid = outbox.waiting().findAnnouncement(slot);
      if (unsaid == null) {
        matching().charge("a credit");
        ledgers.at(slot).credits++;
        return;
      }
      TcpRequest request = unsaid.request;
      unsaid.request = null; // goes out as a mere announcement, the payload behind it
      outbox.queue(Frame.DATA, request);
    }
    dispatch(true);
  }

  private void takeCredit(Ledger ledger) {
    if (ledger.credits <= 0) {
      throw new IllegalStateException(
          "about to send rank " + pair.peer() + " a payload it has not asked for");
    }
    ledger.credits--;
    matching().discharge();
    ledgers.settle(ledger);
  }

  /** One that has been announced cannot be taken back: the peer may have chosen it. */
  @Override
  boolean cancelSend(TcpRequest request) {
    Outgoing frame = pair.outbox().waiting().find(request);
    if (frame == null || frame.opcode == Frame.DATA) {
      return false;
    }
    pair.outbox().discard(frame);
    request.cancel();
    return true;
  }

  // Receiving.

  @Override
  void post(TcpRequest request) {
    Stray stray = request.isBound() ? findBound(request.slot()) : find(request.slot());
    if (request.isBound() && stray == null) {
      matching().posted().add(request);
    } else if (stray != null && !stray.announced) {
      serve(request, stray);
    } else {
      ask(request);
    }
    pair.inbox().resume();
  }

  private void ask(TcpRequest request) {
    matching().granted().add(request); // the last that was posted
    giveCredit(request.slot(), request.length());
  }

  /** Lets the peer send one payload, whether or not it has announced one. */
  private void giveCredit(long slot, long length) {
    Ledger ledger = ledgers.find(slot);
    if (ledger != null && ledger.spare > 0) {
      ledger.spare--;
      ledgers.settle(ledger);
      return;
    }
    Stray announcement = find(slot);
    if (announcement != null && announcement.announced) {
      matching().remove(announcement);
      pair.mesh().strays().giveBack(announcement);
    } else {
      ledgers.at(slot).unannounced++;
    }
    grant(slot, length);
  }

  @Override
  void serve(TcpRequest request, Stray stray) {
    if (stray.announced) {
      ask(request);
      return;
    }
    stray.claimedBy = request;
    check(request, stray.slot, stray.length, stray.remoteOffset);
    matching().deliver(stray, request);
  }

  /** What has come already goes before what is only announced: it was sent first. */
  @Override
  Stray find(long slot) {
    SlotChain.Place<Stray> at = matching().arrived().at(slot);
    while (at != null && (at.node().claimedBy != null || at.node().isBound())) {
      at = at.next();
    }
    return at == null ? matching().findAnnounced(slot) : at.node();
  }

  private Stray findBound(long slot) {
    SlotChain.Place<Stray> at = matching().arrived().at(slot);
    while (at != null && (at.node().claimedBy != null || !at.node().isBound())) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }

  @Override
  boolean cancelReceive(TcpRequest request) {
    if (matching().granted().remove(request)) {
      Ledger ledger = ledgers.at(request.slot());
      ledger.spare++;
      ledger.spareBytes = Math.max(ledger.spareBytes, request.length());
    } else if (!matching().posted().remove(request)) {
      return false;
    }
    request.cancel();
    return true;
  }

  // What comes in.

  /** A bound message too long to be held stops its connection until its receive is posted. */
  @Override
  boolean admits(long header) {
    return GlooFrame.opcode(header) != GlooFrame.BOUND
        || GlooFrame.length(header) <= pair.mesh().settings().windowBytes() - held - HELD_BYTES
        || matching().posted().find(GlooFrame.slot(header)) != null;
  }

  @Override
  void header(long at) {
    long slot = GlooFrame.slot(at);
    long length = GlooFrame.length(at);
    switch (GlooFrame.opcode(at)) {
      case GlooFrame.RECEIVE_READY -> credited(slot);
      case GlooFrame.SEND_READY -> announced(slot, length);
      case GlooFrame.PAYLOAD -> payload(slot, length);
      case GlooFrame.BOUND -> bound(slot, length, GlooFrame.place(at));
      default -> {
        // Of a later Gloo, perhaps; C++ ignores it too.
      }
    }
  }

  private void announced(long slot, long length) {
    Ledger ledger = ledgers.find(slot);
    if (ledger != null && ledger.unannounced > 0) {
      ledger.unannounced--;
      ledgers.settle(ledger);
      return;
    }
    TcpRequest any = pair.mesh().any().find(slot, pair.peer());
    if (any == null) {
      Stray stray = pair.mesh().strays().take(0);
      matching().add(stray.describe(slot, length, true, pair.mesh().nextOrder()));
      return;
    }
    takeAny(any);
    matching().granted().addInOrder(any);
    grant(slot, any.length());
  }

  private void payload(long slot, long length) {
    TcpRequest own = matching().granted().find(slot);
    TcpRequest any = pair.mesh().any().find(slot, pair.peer());
    Ledger ledger = ledgers.find(slot);
    boolean spare = ledger != null && ledger.spare > 0;
    if (own == null && (!spare || (any == null && length > ledger.spareBytes))) {
      throw new ProtocolException(length + " bytes on slot " + slot + " that nobody asked for");
    }
    if (any != null && (own == null || any.order < own.order)) {
      takeAny(any);
      if (own != null) {
        giveCredit(slot, own.length()); // the older receive from any has used the one it had
      } else {
        takeSpare(ledger);
      }
      begin(any, slot, length, Request.UNBOUND);
    } else if (own != null) {
      matching().granted().remove(own);
      begin(own, slot, length, Request.UNBOUND);
    } else {
      takeSpare(ledger);
      hold(slot, length, Request.UNBOUND);
    }
  }

  private void takeSpare(Ledger ledger) {
    ledger.spare--;
    ledgers.settle(ledger);
  }

  private void takeAny(TcpRequest any) {
    pair.mesh().any().remove(any);
    any.pair = pair;
  }

  private void bound(long slot, long length, long place) {
    TcpRequest request = matching().posted().find(slot);
    if (request == null) {
      hold(slot, length, place);
    } else {
      matching().posted().remove(request);
      begin(request, slot, length, place);
    }
  }

  private void begin(TcpRequest request, long slot, long length, long place) {
    pair.inbox().aim(request);
    check(request, slot, length, place);
    pair.inbox().begin(request, length);
  }

  private void hold(long slot, long length, long place) {
    held += length + HELD_BYTES;
    Stray stray = pair.mesh().strays().take(length);
    stray.describe(slot, length, false, pair.mesh().nextOrder());
    stray.remoteOffset = place;
    pair.inbox().hold(stray, length);
  }

  /** Messages tell their length and place; there are no fingerprints. */
  private void check(TcpRequest request, long slot, long length, long place) {
    if (place != request.remoteOffset()) {
      throw new ProtocolException(
          ("a message for byte " + place + " of the buffer on slot " + slot)
              + (" where one for byte " + request.remoteOffset() + " was expected"));
    }
    pair.check(request, slot, length, request.fingerprintHigh(), request.fingerprintLow());
  }

  @Override
  void delivered(long length) {
    held -= length + HELD_BYTES;
  }

  @Override
  void write(long at, Outgoing frame) {
    int opcode =
        switch (frame.opcode) {
          case Frame.ANNOUNCE -> GlooFrame.SEND_READY;
          case Frame.GRANT -> GlooFrame.RECEIVE_READY;
          case Frame.DATA -> GlooFrame.PAYLOAD;
          case Frame.BOUND -> GlooFrame.BOUND;
          default -> throw new IllegalStateException("Gloo has no frame " + frame.opcode);
        };
    long offset = frame.opcode == Frame.BOUND ? frame.request.offset() : 0;
    GlooFrame.write(at, opcode, frame.slot, offset, frame.length, frame.remoteOffset);
  }

  // The end.

  @Override
  boolean mayEndUntold() {
    return true;
  }

  @Override
  boolean giveUp(byte[] notice) {
    try {
      pair.link().shutdown(); // all that Gloo would understand
    } catch (IOException e) {
      // It is down already.
    }
    return true;
  }

  @Override
  void leave() {
    // Closing says it.
  }

  private Matching matching() {
    return pair.inbox().matching();
  }
}
