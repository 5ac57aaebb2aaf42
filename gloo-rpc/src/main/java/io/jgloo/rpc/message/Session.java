package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages between one life of this agent and one life of a peer in order, each at most
 * once, over connections that may lose, repeat and reorder frames.
 *
 * <p>A message gets its number when it is first sent. The receiver takes only the next number, so
 * one number records all that was ever received, and the sender keeps what is not acknowledged. A
 * new connection, a reported gap, or the answer to a probe makes it send again from there. No I/O,
 * no clock and no thread: frames and instants come in as arguments, so tests run every order. In
 * one file because sending and receiving read and write one header.
 *
 * <pre>
 *   0  u32  magic "JGM1"
 *   4  u32  number of the sender's connection: grows when it is made again
 *   8  i64  incarnation of the sender
 *  16  i64  incarnation of the receiver
 *  24  i64  number of the last message received; negative: the same, and a frame after a gap came
 *  32  i64  bytes of credit given back, in total
 *  40  i64  probe: number of the last message sent, to be answered with its negative; or 0
 *  48  i64  number of the first message of this frame
 *  56  messages: u32 length, then the bytes                          all little-endian
 * </pre>
 */
final class Session {

  /** What becomes of arriving messages. */
  interface Inbox {
    /** Takes the next message; the array is not changed any more. */
    void deliver(byte[] frame, int offset, int length);
  }

  static final int HEADER_BYTES = 56;
  static final int LENGTH_BYTES = 4;

  private static final int MAGIC = 0x314d474a;
  private static final int ACK_EVERY = 32;
  private static final long ACK_DELAY_NANOS = 2_000_000;
  private static final long FIRST_PROBE_NANOS = 30_000_000;
  private static final long LAST_PROBE_NANOS = 2_000_000_000;
  private static final long RESEND_PAUSE_NANOS = 10_000_000;

  private final long own;
  private final long peer;
  private final long window;

  private final List<ArrayDeque<Outbound>> waiting = new ArrayList<>();
  private final ArrayDeque<Outbound> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<Outbound> again = new ArrayDeque<>();
  private long nextSequence = 1;
  private long acknowledged;
  private long creditUsed;
  private long creditReturned;
  private long queued;
  private long quietSince;
  private long probeAfter = FIRST_PROBE_NANOS;
  private long resentAt;
  private boolean probeDue;
  private int connection;

  private long received;
  private int receivedSinceAck;
  private long ackAt;
  private boolean ackDue;
  private boolean gapSeen;
  private long answerDue;
  private long released;
  private long releasedSent;
  private long duplicates;
  private long resent;

  /**
   * @param own incarnation of this agent
   * @param peer incarnation of the other
   * @param window bytes of messages the peer holds for this agent at most
   * @param now an instant
   */
  Session(long own, long peer, long window, long now) {
    this.own = own;
    this.peer = peer;
    this.window = window;
    quietSince = now;
    resentAt = now - RESEND_PAUSE_NANOS;
    for (int i = 0; i < 2 * Envelope.PRIORITIES.size(); i++) {
      waiting.add(new ArrayDeque<>());
    }
  }

  // Sending.

  @SuppressWarnings("EnumOrdinal") // an index of this process
  private ArrayDeque<Outbound> waitingLike(Outbound message) {
    return waiting.get(2 * message.priority.ordinal() + (message.counted ? 1 : 0));
  }

  /** Takes a message in, to be sent in its turn. */
  void submit(Outbound message) {
    queued += message.isLimited() ? message.length : 0;
    waitingLike(message).add(message);
  }

  /** Bytes of requests that were not sent. */
  long queued() {
    return queued;
  }

  /** Number of messages that were sent and not acknowledged. */
  int outstanding() {
    return unacknowledged.size();
  }

  /** Whether {@link #fill} would write a frame now. */
  boolean hasFrame() {
    return ackDue || answerDue != 0 || probeDue || !again.isEmpty() || next() != null;
  }

  /** Whether messages wait to be sent, now or when there is credit. */
  boolean hasMessages() {
    return next() != null || isBlocked();
  }

  /** Makes what time demands due: acknowledgements and probes. */
  void tick(long now) {
    if (receivedSinceAck > 0 || released != releasedSent) {
      ackDue |= now - ackAt >= 0;
    }
    if (waitsForPeer() && now - quietSince >= probeAfter) {
      probeDue = true;
      quietSince = now;
      probeAfter = Math.min(2 * probeAfter, LAST_PROBE_NANOS);
    }
  }

  /** When {@link #tick} will have something to do, at the latest. */
  long timer(long latest) {
    long at = latest;
    if (!ackDue && (receivedSinceAck > 0 || released != releasedSent)) {
      at = earlier(at, ackAt);
    }
    return waitsForPeer() ? earlier(at, quietSince + probeAfter) : at;
  }

  /** Whether something is to come from the peer: an acknowledgement, or credit. */
  private boolean waitsForPeer() {
    return !unacknowledged.isEmpty() || (creditUsed > creditReturned && isBlocked());
  }

  private boolean isBlocked() {
    return next() == null && waiting.stream().anyMatch(queue -> !queue.isEmpty());
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /**
   * Writes a frame: acknowledgements, and as many messages as fit.
   *
   * @param frame at least {@link #HEADER_BYTES} and the longest message
   * @return its length
   */
  int fill(byte[] frame, long now) {
    int at = HEADER_BYTES;
    long first = 0;
    for (Outbound message = next(); message != null; message = next()) {
      if (message.length > frame.length - at - LENGTH_BYTES) {
        break;
      }
      if (unacknowledged.isEmpty()) {
        quietSince = now;
      }
      take(message);
      first = first == 0 ? message.sequence : first;
      LittleEndian.putInt(frame, at, message.length);
      System.arraycopy(message.bytes, 0, frame, at + LENGTH_BYTES, message.length);
      at += LENGTH_BYTES + message.length;
    }
    LittleEndian.putInt(frame, 0, MAGIC);
    LittleEndian.putInt(frame, 4, connection);
    LittleEndian.putLong(frame, 8, own);
    LittleEndian.putLong(frame, 16, peer);
    LittleEndian.putLong(frame, 24, gapSeen ? -received - 1 : received);
    LittleEndian.putLong(frame, 32, released);
    LittleEndian.putLong(frame, 40, answerDue != 0 ? -answerDue : probeDue ? nextSequence - 1 : 0);
    LittleEndian.putLong(frame, 48, first);
    probeDue &= answerDue != 0;
    answerDue = 0;
    gapSeen = false;
    ackDue = false;
    receivedSinceAck = 0;
    releasedSent = released;
    return at;
  }

  /** The message to be sent next, or null. */
  private @Nullable Outbound next() {
    while (!again.isEmpty()) {
      if (again.peek().sequence > acknowledged) {
        return again.peek();
      }
      again.poll();
    }
    boolean blocked = false; // messages of lower priority must not use up the credit it needs
    for (ArrayDeque<Outbound> queue : waiting) {
      while (!queue.isEmpty() && queue.peek().withdrawn) {
        Outbound withdrawn = queue.poll();
        queued -= withdrawn.isLimited() ? withdrawn.length : 0;
      }
      Outbound message = queue.peek();
      if (message != null && (!message.counted || (!blocked && hasCredit(message)))) {
        return message;
      }
      blocked |= message != null;
    }
    return null;
  }

  /** A message longer than the window goes alone. */
  private boolean hasCredit(Outbound message) {
    long used = creditUsed - creditReturned;
    return !message.counted || used == 0 || used + message.length <= window;
  }

  private void take(Outbound message) {
    if (message.isSent()) {
      again.poll();
      resent++;
      return;
    }
    waitingLike(message).poll();
    message.sequence = nextSequence++;
    unacknowledged.add(message);
    creditUsed += message.counted ? message.length : 0;
    queued -= message.isLimited() ? message.length : 0;
  }

  /** A connection was made: what was under way on an earlier one may be lost. */
  void connected(long now) {
    connection++;
    sendAgain(now);
    ackDue = received > 0;
  }

  private void sendAgain(long now) {
    again.clear();
    again.addAll(unacknowledged);
    resentAt = now;
    quietSince = now;
    probeAfter = FIRST_PROBE_NANOS;
  }

  /** The peer is lost: drops all messages. */
  void end(JGlooException cause) {
    List<Outbound> all = new ArrayList<>(unacknowledged);
    waiting.forEach(all::addAll);
    waiting.forEach(ArrayDeque::clear);
    queued = 0;
    unacknowledged.clear();
    again.clear();
    for (Outbound message : all) {
      if (!message.withdrawn || message.isSent()) {
        message.dropped(cause);
      }
    }
  }

  // Receiving.

  /** Gives the peer credit for this many bytes of its messages back. */
  void release(int bytes, long now) {
    if (released == releasedSent && receivedSinceAck == 0) {
      ackAt = now + ACK_DELAY_NANOS;
    }
    released += bytes;
    ackDue |= released - releasedSent > window / 4;
  }

  /**
   * Takes a frame in.
   *
   * @return whether it is of these two lives; one of others changes nothing
   * @throws ProtocolException if it is malformed; it may have delivered messages before
   */
  boolean accept(byte[] frame, int length, long now, Inbox inbox) {
    check(length >= HEADER_BYTES && LittleEndian.getInt(frame, 0) == MAGIC, "no frame of agents");
    if (LittleEndian.getLong(frame, 8) != peer || LittleEndian.getLong(frame, 16) != own) {
      return false;
    }
    long ack = LittleEndian.getLong(frame, 24);
    long probe = LittleEndian.getLong(frame, 40);
    settle(ack < 0 ? -ack - 1 : ack, LittleEndian.getLong(frame, 32), now);
    boolean lost = ack < 0 || (probe < 0 && acknowledged < -probe);
    if (lost && again.isEmpty() && now - resentAt >= RESEND_PAUSE_NANOS) {
      sendAgain(now);
    }
    if (probe > 0) {
      answerDue = probe;
    }
    take(frame, length, now, inbox);
    return true;
  }

  private void take(byte[] frame, int length, long now, Inbox inbox) {
    long sequence = LittleEndian.getLong(frame, 48);
    for (int at = HEADER_BYTES; at < length; sequence++) {
      check(length - at >= LENGTH_BYTES && sequence > 0, "a truncated message");
      int bytes = LittleEndian.getInt(frame, at);
      at += LENGTH_BYTES;
      check(bytes > 0 && bytes <= length - at, "a message of " + bytes + " bytes");
      if (sequence == received + 1) {
        received++;
        if (receivedSinceAck++ == 0 && released == releasedSent) {
          ackAt = now + ACK_DELAY_NANOS;
        }
        ackDue |= receivedSinceAck >= ACK_EVERY;
        inbox.deliver(frame, at, bytes);
      } else {
        duplicates += sequence <= received ? 1 : 0;
        gapSeen |= sequence > received;
        ackDue = true;
      }
      at += bytes;
    }
  }

  private void settle(long ack, long returned, long now) {
    check(ack < nextSequence, "an acknowledgement of message " + ack);
    check(returned <= creditUsed, "credit for " + returned + " bytes");
    if (ack > acknowledged || returned > creditReturned) {
      quietSince = now;
      probeAfter = FIRST_PROBE_NANOS;
    }
    creditReturned = Math.max(creditReturned, returned);
    acknowledged = Math.max(acknowledged, ack);
    while (!unacknowledged.isEmpty() && unacknowledged.peek().sequence <= acknowledged) {
      unacknowledged.poll().acknowledged();
    }
  }

  /** Connection number of a frame by which an agent says that it counts the receiver as lost. */
  private static final int FENCE = -1;

  /**
   * Writes the answer to a frame of a life that counts as lost.
   *
   * @return its length; 0 if that was no frame, or not sent to this life, or says the same
   */
  static int fence(byte[] answer, byte[] frame, int length, long own) {
    boolean isFrame =
        length >= HEADER_BYTES
            && LittleEndian.getInt(frame, 0) == MAGIC
            && LittleEndian.getInt(frame, 4) != FENCE
            && LittleEndian.getLong(frame, 16) == own;
    if (!isFrame) {
      return 0;
    }
    Arrays.fill(answer, 0, HEADER_BYTES, (byte) 0);
    LittleEndian.putInt(answer, 0, MAGIC);
    LittleEndian.putInt(answer, 4, FENCE);
    LittleEndian.putLong(answer, 8, own);
    LittleEndian.putLong(answer, 16, LittleEndian.getLong(frame, 8));
    return HEADER_BYTES;
  }

  /** Whether a frame says that the present life of the peer counts this one as lost. */
  static boolean isFence(byte[] frame, int length, long own, AgentId peer) {
    return length == HEADER_BYTES
        && peer != null
        && LittleEndian.getInt(frame, 0) == MAGIC
        && LittleEndian.getInt(frame, 4) == FENCE
        && LittleEndian.getLong(frame, 8) == peer.incarnation()
        && LittleEndian.getLong(frame, 16) == own;
  }

  /** The sender's connection that a frame came by. */
  static int connection(byte[] frame) {
    return LittleEndian.getInt(frame, 4);
  }

  int connection() {
    return connection;
  }

  /** Messages received that had been received before. */
  long duplicates() {
    return duplicates;
  }

  /** Messages sent again. */
  long resent() {
    return resent;
  }

  private void check(boolean condition, String what) {
    if (!condition) {
      throw new ProtocolException(what + " came in a frame of an agent");
    }
  }
}
