package io.jgloo.transport.engine;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.memory.Memory;

/**
 * The rules between two JGloo ranks, on every transport.
 *
 * <p>A message goes <i>eagerly</i>, payload behind its header, while the peer's window for
 * unexpected messages has room; else it is <i>announced</i> and sent when the peer grants it. So
 * unexpected messages cannot fill the peer's memory, and no message waits behind one of another
 * slot.
 *
 * <p>Credit is counted in running totals of costs: a message's bytes and {@link #BOOKKEEPING} for
 * what it takes to keep it. Every frame carries the total that this side has received and matched,
 * which frees that much of the peer's window. The header of a frame, little-endian, 48 bytes:
 *
 * <pre>
 *    0  u32  the transport's opcode and magic number
 *    4  u32  the transport's
 *    8  i64  slot
 *   16  i64  length     bytes of the message
 *   24  i64  fingerprint, high
 *   32  i64  fingerprint, low
 *   40  i64  credit     eager cost received and matched so far, both directions apart
 * </pre>
 */
public abstract class CreditRoute extends Route {

  /** Bytes of a header. */
  public static final int HEADER_BYTES = 48;

  /** What a message costs beyond its bytes. */
  public static final long BOOKKEEPING = 64;

  private final long window;
  private long sent;
  private long matchedByPeer;
  private long matched;
  private long reported;
  private long held;

  /**
   * @param window bytes of unexpected messages that this side holds for the peer
   */
  protected CreditRoute(EnginePair pair, long window) {
    super(pair);
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

  // The header.

  /** Writes a header. */
  public static void writeHeader(long at, int first, int second, Outgoing frame, long credit) {
    Memory.putInt(at, first);
    Memory.putInt(at + 4, second);
    Memory.putLong(at + 8, frame.slot);
    Memory.putLong(at + 16, frame.length);
    Memory.putLong(at + 24, frame.fingerprintHigh);
    Memory.putLong(at + 32, frame.fingerprintLow);
    Memory.putLong(at + 40, credit);
  }

  public static long slot(long header) {
    return Memory.getLong(header + 8);
  }

  public static long length(long header) {
    return Memory.getLong(header + 16);
  }

  public static long fingerprintHigh(long header) {
    return Memory.getLong(header + 24);
  }

  public static long fingerprintLow(long header) {
    return Memory.getLong(header + 32);
  }

  public static long credit(long header) {
    return Memory.getLong(header + 40);
  }

  // Credit.

  private static long cost(long length) {
    return length + BOOKKEEPING;
  }

  /** Whether a message fits into what the peer's window has left. */
  private boolean admits(long length) {
    return sent - matchedByPeer + cost(length) <= peerWindow();
  }

  /**
   * Takes the total that the peer has matched.
   *
   * @throws ProtocolException if that is more than was sent or less than the last total
   */
  protected final void returned(long total) {
    if (total < matchedByPeer || total > sent) {
      throw new ProtocolException(
          ("a credit of " + total + " bytes, but the last was " + matchedByPeer)
              + (" and " + sent + " were sent"));
    }
    matchedByPeer = total;
  }

  /** The total to report to the peer; the frame that carries it is being written. */
  protected final long reportCredit() {
    reported = matched;
    return matched;
  }

  /** Whether the credit should be sent even without another frame. */
  protected final boolean isReportDue() {
    return matched - reported >= window / 2;
  }

  // Sending.

  @Override
  protected final void send(EngineRequest request) {
    long length = request.length();
    boolean eager = length <= eagerBytes(request) && admits(length);
    if (eager) {
      sent += cost(length);
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
        sent -= cost(frame.length);
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
    held -= cost(length);
    countMatched(length);
    tellCredit();
  }

  private void countMatched(long length) {
    matched += cost(length);
  }

  private void tellCredit() {
    if (isReportDue() && !pair.hasDeparted()) {
      creditDue();
    }
  }

  /** The header of an eager message has arrived. */
  protected final void eager(long header) {
    long slot = slot(header);
    long length = length(header);
    if (length > window) {
      throw new ProtocolException(
          "an eager message of " + length + " bytes; the window is " + window);
    }
    EngineRequest request = matching.take(slot);
    if (request != null) {
      matching.begin(request);
      matching.checkHeader(request, header);
      countMatched(length);
      arrive(request, length);
      matching.end();
      tellCredit();
      return;
    }
    if (length > window - held - BOOKKEEPING) {
      throw new ProtocolException(
          "unexpected messages of more than " + window + " bytes, the window");
    }
    held += cost(length);
    hold(remember(header, pair.mesh().unexpected().take(length), false));
  }

  /** A message was announced. */
  protected final void announced(long header, int number) {
    EngineRequest request = matching.take(slot(header));
    if (request != null) {
      matching.begin(request);
      matching.checkHeader(request, header);
      grant(request, length(header), number);
      matching.end();
      return;
    }
    remember(header, pair.mesh().unexpected().take(0), true).number(number);
  }

  private UnexpectedMessage remember(long header, UnexpectedMessage message, boolean announced) {
    long order = pair.mesh().nextOrder();
    message.describe(slot(header), length(header), announced, order);
    message.fingerprint(fingerprintHigh(header), fingerprintLow(header));
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
