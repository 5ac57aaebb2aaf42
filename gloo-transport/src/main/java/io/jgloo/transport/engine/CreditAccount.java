package io.jgloo.transport.engine;

import io.jgloo.transport.ProtocolException;

/**
 * How many bytes each side of a pair may send eagerly, and how many of them have been matched with
 * a receive.
 *
 * <p>All amounts are running totals of costs: a message's bytes and {@link #BOOKKEEPING} for what
 * it takes to keep it. Every frame carries the total that this side has received and matched, which
 * frees that much of the peer's window.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public class CreditAccount {

  /** What a message costs beyond its bytes. */
  public static final long BOOKKEEPING = 64;

  private final long window;
  private long sent;
  private long matchedByPeer;
  private long matched;
  private long reported;
  private long held;

  /**
   * Opens an account.
   *
   * @param window bytes of unexpected messages that this side holds for the peer
   */
  public CreditAccount(long window) {
    this.window = window;
  }

  /** What a message of this length costs. */
  public static long cost(long length) {
    return length + BOOKKEEPING;
  }

  /** Whether a message fits into the peer's window of this many bytes. */
  public boolean admits(long length, long peerWindow) {
    return sent - matchedByPeer + cost(length) <= peerWindow;
  }

  /** Records that a message is sent eagerly. */
  public void spend(long length) {
    sent += cost(length);
  }

  /** Takes back a message of which no byte was sent. */
  public void refund(long length) {
    sent -= cost(length);
  }

  /**
   * Takes the total that the peer has matched.
   *
   * @throws ProtocolException if that is more than was sent or less than the last total
   */
  public void returned(long total) {
    if (total < matchedByPeer || total > sent) {
      throw new ProtocolException(
          "a credit of "
              + total
              + " bytes, but the last was "
              + matchedByPeer
              + " and "
              + sent
              + " were sent");
    }
    matchedByPeer = total;
  }

  /**
   * Holds an unexpected message.
   *
   * @throws ProtocolException if that exceeds the window
   */
  public void hold(long length) {
    if (length > window - held - BOOKKEEPING) {
      throw new ProtocolException(
          "unexpected messages of more than " + window + " bytes, the window");
    }
    held += cost(length);
  }

  /** Records that a message which was held has found its receive. */
  public void release(long length) {
    held -= cost(length);
    match(length);
  }

  /** Records that a message has found its receive. */
  public void match(long length) {
    matched += cost(length);
  }

  /** The total to report to the peer; the frame that carries it is being written. */
  public long report() {
    reported = matched;
    return matched;
  }

  /** Whether the credit should be sent even without another frame. */
  public boolean isReportDue() {
    return matched - reported >= window / 2;
  }
}
