package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.MismatchException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import io.jgloo.transport.engine.Batch;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.engine.SendQueue;
import io.jgloo.transport.engine.SlotChain;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.tcp.wire.CppGlooFrame;
import io.jgloo.transport.tcp.wire.Frame;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * The rules of C++ Gloo.
 *
 * <p>Each send is announced once, each receive gives one credit, without either waiting for the
 * other; a payload is sent when it has taken a credit, and never before: C++ ends its process at a
 * payload without a credit. <i>Bound</i> messages are sent at once, with the place they are for.
 * There are no goodbyes and no abort notices: a rank that leaves or fails closes its connections.
 *
 * <p>Numbers of one slot are interchangeable, so a receive can be withdrawn: its credit serves the
 * next one. A receive from any gives its credit to the first peer that has announced.
 *
 * <p>In one file because announcements, credits and payloads change the same accounts of slots.
 */
public final class CppGlooRoute extends Route implements StreamRules {

  /**
   * What is open between two ranks on one slot of a Gloo wire.
   *
   * <p>Of a slot, the n-th announcement, the n-th credit and the n-th payload belong together, so
   * counters are enough.
   */
  private static final class SlotAccount implements SlotChain.Node {
    long slot;

    /** Receives that the peer has announced and for which this rank has posted no send. */
    int credits;

    /** Announcements to come for receives of this rank that did not wait for one. */
    int unannounced;

    /**
     * Receives of this rank, announced to the peer and withdrawn: as many payloads may still come.
     */
    int withdrawn;

    /** Length of the longest of those receives. */
    long withdrawnBytes;

    @Override
    public long slot() {
      return slot;
    }
  }

  /** What a message that is held counts beside its bytes. */
  private static final long HELD_BYTES = 128;

  private final Stream stream;

  /** Slots on which something is open; few at a time, reused. */
  private final SlotChain<SlotAccount> accounts = new SlotChain<>();

  private final ArrayDeque<SlotAccount> freeAccounts = new ArrayDeque<>();

  /** Whether the mesh's batch will flush the outbox. */
  private boolean batched;

  /** Whether nothing has flushed it since. */
  private boolean holdsBack;

  /** Bytes of unexpected messages, and their bookkeeping. */
  private long held;

  CppGlooRoute(Stream stream) {
    super(stream.pair());
    this.stream = stream;
  }

  @Override
  public SendQueue queue() {
    return sends;
  }

  @Override
  public int headerBytes() {
    return CppGlooFrame.BYTES;
  }

  @Override
  public Route route() {
    return this;
  }

  @Override
  protected Stream mover() {
    return stream;
  }

  // Sending.

  @Override
  protected void send(EngineRequest request) {
    SlotAccount account = request.isBound() ? null : accounts.find(request.slot());
    if (request.isBound()) {
      sends.add(Frame.BOUND, request);
    } else if (account != null && account.credits > 0) {
      takeCredit(account);
      sends.add(Frame.ANNOUNCE, request.slot(), request.length());
      sends.add(Frame.DATA, request);
    } else {
      sends.add(Frame.ANNOUNCE, request);
      dispatch(false); // only a receive from any waits for it
      stream.expectMessage();
      return;
    }
    dispatch(true);
  }

  /** Sends what is queued: now, or later if its thread has more to post. */
  private void dispatch(boolean urgent) {
    Batch batch = stream.mesh().progress().batch();
    holdsBack = batch.isCollecting() && stream.stage();
    if (!holdsBack) {
      stream.flush();
    } else if (batched) {
      batch.hurry(urgent);
    } else {
      batched = true;
      batch.add(this, urgent);
    }
  }

  @Override
  public boolean holdsBack() {
    return holdsBack;
  }

  @Override
  protected void flush() {
    batched = false;
    holdsBack = false;
    stream.flush();
  }

  private void grant(long slot, long length) {
    sends.add(Frame.GRANT, slot, length);
    dispatch(true);
  }

  /** The peer has posted a receive. */
  private void credited(long slot) {
    Outgoing frame = sends.announced().take(slot);
    if (frame != null) {
      frame.opcode = Frame.DATA;
      sends.waiting().add(frame);
    } else {
      Outgoing unsaid = sends.waiting().findAnnouncement(slot);
      if (unsaid == null) {
        matching.charge("a credit");
        account(slot).credits++;
        return;
      }
      EngineRequest request = unsaid.request;
      unsaid.request = null; // sent as an announcement only, the payload behind it
      sends.add(Frame.DATA, request);
    }
    dispatch(true);
  }

  private void takeCredit(SlotAccount account) {
    if (account.credits <= 0) {
      throw new IllegalStateException(
          "rank " + pair.peer() + " has given no credit for this payload");
    }
    account.credits--;
    matching.discharge();
    releaseIfZero(account);
  }

  /** One that has been announced cannot be taken back: the peer may have chosen it. */
  @Override
  protected boolean cancelSend(EngineRequest request) {
    Outgoing frame = sends.waiting().find(request);
    if (frame == null || frame.opcode == Frame.DATA) {
      return false;
    }
    sends.discard(frame);
    request.endCancelled();
    return true;
  }

  // Receiving.

  @Override
  protected void post(EngineRequest request) {
    UnexpectedMessage message =
        request.isBound() ? findBound(request.slot()) : find(request.slot());
    if (request.isBound() && message == null) {
      matching.posted().add(request);
    } else if (message != null && !message.isAnnounced()) {
      serve(request, message);
    } else {
      ask(request);
    }
    stream.resume();
  }

  private void ask(EngineRequest request) {
    matching.granted().add(request); // the last that was posted
    giveCredit(request.slot(), request.length());
  }

  /** Lets the peer send one payload, whether or not it has announced one. */
  private void giveCredit(long slot, long length) {
    SlotAccount account = accounts.find(slot);
    if (account != null && account.withdrawn > 0) {
      account.withdrawn--;
      releaseIfZero(account);
      return;
    }
    UnexpectedMessage announcement = find(slot);
    if (announcement != null && announcement.isAnnounced()) {
      matching.remove(announcement);
      stream.mesh().unexpected().giveBack(announcement);
    } else {
      account(slot).unannounced++;
    }
    grant(slot, length);
  }

  @Override
  protected void serve(EngineRequest request, UnexpectedMessage message) {
    if (message.isAnnounced()) {
      ask(request);
      return;
    }
    message.claim(request);
    check(request, message.slot(), message.length(), message.remoteOffset());
    if (message.isComplete()) {
      matching.deliver(message, request);
      delivered(message.length());
      stream.mesh().unexpected().giveBack(message);
    } else {
      stream.claim(request);
    }
  }

  /** A message that has arrived is taken before one that is only announced: it was sent first. */
  @Override
  protected UnexpectedMessage find(long slot) {
    SlotChain.Place<UnexpectedMessage> at = matching.arrived().at(slot);
    while (at != null && (!at.node().isFree() || at.node().isBound())) {
      at = at.next();
    }
    return at == null ? matching.findAnnounced(slot) : at.node();
  }

  private UnexpectedMessage findBound(long slot) {
    SlotChain.Place<UnexpectedMessage> at = matching.arrived().at(slot);
    while (at != null && (!at.node().isFree() || !at.node().isBound())) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }

  @Override
  protected boolean cancelReceive(EngineRequest request) {
    if (matching.granted().remove(request)) {
      SlotAccount account = account(request.slot());
      account.withdrawn++;
      account.withdrawnBytes = Math.max(account.withdrawnBytes, request.length());
    } else if (!matching.posted().remove(request)) {
      return false;
    }
    request.endCancelled();
    return true;
  }

  // What comes in.

  /** A bound message too long to be held stops its connection until its receive is posted. */
  @Override
  public boolean admits(long header) {
    return CppGlooFrame.opcode(header) != CppGlooFrame.BOUND
        || CppGlooFrame.length(header) <= stream.mesh().settings().windowBytes() - held - HELD_BYTES
        || matching.posted().find(CppGlooFrame.slot(header)) != null;
  }

  @Override
  public void header(long at) {
    long slot = CppGlooFrame.slot(at);
    long length = CppGlooFrame.length(at);
    switch (CppGlooFrame.opcode(at)) {
      case CppGlooFrame.RECEIVE_READY -> credited(slot);
      case CppGlooFrame.SEND_READY -> announced(slot, length);
      case CppGlooFrame.PAYLOAD -> payload(slot, length);
      case CppGlooFrame.BOUND -> bound(slot, length, CppGlooFrame.place(at));
      default -> {
        // Possibly of a later version of Gloo; C++ ignores it too.
      }
    }
  }

  private void announced(long slot, long length) {
    SlotAccount account = accounts.find(slot);
    if (account != null && account.unannounced > 0) {
      account.unannounced--;
      releaseIfZero(account);
      return;
    }
    EngineRequest any = matching.findAny(slot);
    if (any == null) {
      UnexpectedMessage message = stream.mesh().unexpected().take(0);
      matching.add(message.describe(slot, length, true, stream.mesh().nextOrder()));
      return;
    }
    matching.takeAny(any);
    matching.granted().addInOrder(any);
    grant(slot, any.length());
  }

  private void payload(long slot, long length) {
    EngineRequest own = matching.granted().find(slot);
    EngineRequest any = matching.findAny(slot);
    SlotAccount account = accounts.find(slot);
    boolean withdrawn = account != null && account.withdrawn > 0;
    if (own == null && (!withdrawn || (any == null && length > account.withdrawnBytes))) {
      throw new ProtocolException(
          "a payload of " + length + " bytes on slot " + slot + " without a receive");
    }
    if (any != null && (own == null || any.isBefore(own))) {
      matching.takeAny(any);
      if (own != null) {
        giveCredit(slot, own.length()); // the older receive from any has used the one it had
      } else {
        takeWithdrawn(account);
      }
      begin(any, slot, length, Request.UNBOUND);
    } else if (own != null) {
      matching.granted().remove(own);
      begin(own, slot, length, Request.UNBOUND);
    } else {
      takeWithdrawn(account);
      hold(slot, length, Request.UNBOUND);
    }
  }

  private void takeWithdrawn(SlotAccount account) {
    account.withdrawn--;
    releaseIfZero(account);
  }

  private void bound(long slot, long length, long place) {
    EngineRequest request = matching.posted().find(slot);
    if (request == null) {
      hold(slot, length, place);
    } else {
      matching.posted().remove(request);
      begin(request, slot, length, place);
    }
  }

  private void begin(EngineRequest request, long slot, long length, long place) {
    matching.begin(request);
    check(request, slot, length, place);
    stream.begin(request, length);
    matching.end();
  }

  private void hold(long slot, long length, long place) {
    held += length + HELD_BYTES;
    UnexpectedMessage message = stream.mesh().unexpected().take(length);
    message.describe(slot, length, false, stream.mesh().nextOrder());
    message.bind(place);
    matching.add(message);
    stream.hold(message);
  }

  /** Messages have a length and a place; there are no fingerprints. */
  private void check(EngineRequest request, long slot, long length, long place) {
    if (place != request.remoteOffset()) {
      throw new ProtocolException(
          ("a message for byte " + place + " of the buffer on slot " + slot)
              + (" where one for byte " + request.remoteOffset() + " was expected"));
    }
    matching.check(request, slot, length, request.fingerprintHigh(), request.fingerprintLow());
  }

  @Override
  public void delivered(long length) {
    held -= length + HELD_BYTES;
  }

  @Override
  public void write(long at, Outgoing frame) {
    int opcode =
        switch (frame.opcode) {
          case Frame.ANNOUNCE -> CppGlooFrame.SEND_READY;
          case Frame.GRANT -> CppGlooFrame.RECEIVE_READY;
          case Frame.DATA -> CppGlooFrame.PAYLOAD;
          case Frame.BOUND -> CppGlooFrame.BOUND;
          default -> throw new IllegalStateException("Gloo has no frame " + frame.opcode);
        };
    long offset = frame.opcode == Frame.BOUND ? frame.request.offset() : 0;
    CppGlooFrame.write(at, opcode, frame.slot, offset, frame.length, frame.remoteOffset);
  }

  /** The account of a slot, a new one if there is none. */
  private SlotAccount account(long slot) {
    SlotAccount found = accounts.find(slot);
    if (found != null) {
      return found;
    }
    SlotAccount account = freeAccounts.isEmpty() ? new SlotAccount() : freeAccounts.poll();
    account.slot = slot;
    account.withdrawnBytes = 0;
    accounts.add(account);
    return account;
  }

  /** Puts an account back into the pool if all its counters are zero. */
  private void releaseIfZero(SlotAccount account) {
    if (account.credits != 0 || account.unannounced != 0 || account.withdrawn != 0) {
      return;
    }
    accounts.remove(account);
    freeAccounts.push(account);
  }

  // The end.

  @Override
  public boolean mayCloseWithoutGoodbye() {
    return true;
  }

  @Override
  public boolean giveUp(byte[] notice) {
    try {
      stream.link().shutdown(); // the only notice that Gloo has
    } catch (IOException e) {
      // It is down already.
    }
    return true;
  }

  @Override
  public void leave(MismatchException.Side lastCall) {
    // Closing says it.
  }
}
