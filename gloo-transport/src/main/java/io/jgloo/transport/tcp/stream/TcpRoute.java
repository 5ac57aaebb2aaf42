package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.MismatchException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.CreditRoute;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.engine.SendQueue;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.shm.Extent;
import io.jgloo.transport.shm.Lending;
import io.jgloo.transport.tcp.wire.AbortNotice;
import io.jgloo.transport.tcp.wire.Frame;

/** The frames between two JGloo ranks on a byte stream; drawn in {@link Frame}. */
public final class TcpRoute extends CreditRoute implements StreamRules {

  private final Stream stream;
  private final long eagerBytes;
  private int loan; // the message that arrives, if it is in memory of the peer; else 0

  TcpRoute(Stream stream) {
    super(stream.pair(), stream.mesh().settings().windowBytes());
    this.stream = stream;
    eagerBytes = stream.mesh().settings().eagerBytes();
  }

  @Override
  public SendQueue queue() {
    return sends;
  }

  @Override
  public int headerBytes() {
    return Frame.BYTES;
  }

  @Override
  public int filler() {
    return Frame.CREDIT;
  }

  @Override
  public Route route() {
    return this;
  }

  @Override
  protected Stream mover() {
    return stream;
  }

  @Override
  public boolean admits(long header) {
    return true; // unexpected messages are bounded by the window
  }

  @Override
  public boolean holdsBack() {
    return false;
  }

  // What the engine asks for.

  @Override
  protected long eagerBytes(EngineRequest send) {
    return send.length() > Lending.EAGER_BYTES && !send.isCopied() && extentOf(send) != null
        ? Lending.EAGER_BYTES
        : eagerBytes;
  }

  @Override
  protected long peerWindow() {
    return stream.peerWindow();
  }

  @Override
  protected Outgoing sendInPlace(EngineRequest request) {
    Extent extent = request.isCopied() ? null : extentOf(request);
    return extent == null ? null : stream.lending().lend(sends.add(Frame.SHARED, request), extent);
  }

  /** Where the peer reads a send in place; null if it does not. */
  private Extent extentOf(EngineRequest send) {
    return send.length() < Lending.LEAST_BYTES || !stream.canReadInPlace()
        ? null
        : stream.lending().find(send);
  }

  @Override
  protected boolean isMoving(Outgoing announced) {
    return false;
  }

  @Override
  protected boolean withdrawGranted(Outgoing frame) {
    if (frame.opcode != Frame.DATA && (frame.opcode != Frame.SHARED || frame.eager)) {
      return false;
    }
    withdraw(frame);
    return true;
  }

  private static void withdraw(Outgoing frame) {
    frame.opcode = Frame.WITHDRAWN;
    frame.length = 0;
    frame.request = null;
  }

  @Override
  protected void grant(EngineRequest request, long length, int number) {
    request.expect(length);
    matching.granted().add(request);
    long granule = request.reduction() == null ? 0 : request.granule();
    stream.control(Frame.GRANT, request.slot(), granule);
  }

  @Override
  protected void arrive(EngineRequest request, long length) {
    if (loan == 0) {
      stream.begin(request, length);
    } else {
      stream.borrowing().read(request, loan);
    }
  }

  @Override
  protected void hold(UnexpectedMessage message) {
    if (loan == 0) {
      stream.hold(message);
    } else {
      stream.borrowing().hold(message, loan);
    }
  }

  @Override
  protected void claim(EngineRequest request) {
    stream.claim(request);
  }

  @Override
  protected void creditDue() {
    stream.control(Frame.CREDIT, 0, 0);
  }

  @Override
  protected void flush() {
    stream.flush();
  }

  // What arrives.

  @Override
  public void header(long at) {
    int opcode = Frame.opcode(at);
    long slot = slot(at);
    long length = length(at);
    returned(credit(at));
    switch (opcode) {
      case Frame.EAGER -> eager(at);
      case Frame.ANNOUNCE -> announced(at, 0);
      case Frame.DATA -> data(granted(slot, length), length);
      case Frame.WITHDRAWN -> withdrawn(granted(slot, -1));
      case Frame.GRANT -> asked(slot, length);
      case Frame.ABORT -> {
        if (length == 0 || length > AbortNotice.MAX_BYTES) {
          throw new ProtocolException("an abort notice of " + length + " bytes");
        }
        stream.beginNotice((int) length);
      }
      case Frame.GOODBYE -> pair.departed(lastCall(at));
      case Frame.CREDIT -> {
        // The header holds it.
      }
      default -> shared(opcode, at, slot, length);
    }
  }

  /** What a goodbye says of the sender's last call; null if it names none. */
  private MismatchException.Side lastCall(long at) {
    long high = fingerprintHigh(at);
    return high == 0
        ? null
        : new MismatchException.Side(pair.peer(), slot(at), 0, high, fingerprintLow(at));
  }

  /** Frames about memory of the sender, or of this rank, that the other one reads in place. */
  private void shared(int opcode, long at, long slot, long length) {
    if (!stream.canReadInPlace()) {
      throw new ProtocolException("a frame about shared memory by a socket");
    }
    switch (opcode) {
      case Frame.SHARED -> {
        long offset = Frame.takeOffset(at);
        int lent = stream.borrowing().add(Frame.extent(at), offset, length(at));
        if (Frame.isEager(at)) {
          loan = lent;
          try {
            eager(at);
          } finally { // a refused message must not make the next one a loan
            loan = 0;
          }
        } else {
          EngineRequest request = granted(slot, length(at));
          matching.begin(request);
          stream.borrowing().read(request, lent);
          matching.end();
        }
      }
      case Frame.DONE -> stream.lending().done(slot, length);
      case Frame.EXTENT -> {
        stream.borrowing().expectOffer(slot, length);
        stream.beginNotice((int) length);
      }
      case Frame.ATTACHED -> stream.lending().answered(slot, length);
      default -> stream.borrowing().retired(slot);
    }
  }

  /** Granted data: some of it may come by other connections. */
  private void data(EngineRequest request, long length) {
    matching.begin(request);
    stream.beginGranted(request, length);
    matching.end();
  }

  /**
   * The receive that granted the oldest message of this slot, taken out.
   *
   * @param length that the message has, or -1 if it was withdrawn
   */
  private EngineRequest granted(long slot, long length) {
    EngineRequest request = matching.granted().find(slot);
    if (request == null || (length >= 0 && length != request.expected())) {
      throw new ProtocolException(
          length < 0
              ? "the withdrawal of a message that was not granted"
              : length + " bytes of data that were not granted, or not with this length");
    }
    matching.granted().remove(request);
    return request;
  }

  /** The peer asks for the oldest announced message of a slot. */
  private void asked(long slot, long granule) {
    if (granule > EngineRequest.MAX_GRANULE) {
      throw new ProtocolException("a grant for elements of " + granule + " bytes");
    }
    Outgoing frame = sends.announced().take(slot);
    if (frame == null) {
      throw new ProtocolException(
          "a grant for slot " + slot + ", on which no message is announced");
    }
    if (frame.request == null) {
      withdraw(frame);
    } else {
      Extent extent = stream.canReadInPlace() ? stream.lending().find(frame.request) : null;
      frame.opcode = Frame.DATA;
      if (extent != null) {
        stream.lending().lend(frame, extent);
      }
    }
    frame.granule = Math.max(1, granule);
    sends.waiting().add(frame);
    flush();
  }

  @Override
  public void delivered(long length) {
    matched(length);
  }

  // What goes out.

  @Override
  public void write(long at, Outgoing frame) {
    Frame.write(at, frame, reportCredit());
  }

  @Override
  public boolean mayCloseWithoutGoodbye() {
    return false;
  }

  @Override
  public boolean giveUp(byte[] notice) {
    return stream.writeLast(Frame.ABORT, notice, null);
  }

  @Override
  public void leave(MismatchException.Side lastCall) {
    stream.writeLast(Frame.GOODBYE, null, lastCall);
  }
}
