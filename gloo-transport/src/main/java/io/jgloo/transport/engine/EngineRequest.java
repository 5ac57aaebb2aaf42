package io.jgloo.transport.engine;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Request;
import java.util.BitSet;

/**
 * One send or receive, put or get.
 *
 * <p>All fields but {@link #state} are guarded by the mesh's lock; writing the state last is the
 * release that a reader of the state pairs with.
 */
public final class EngineRequest extends Request implements SlotChain.Node {

  /**
   * Longest element of a reduction, in bytes; several fit into what a transport reads at a time.
   */
  public static final int MAX_GRANULE = 64 << 10;

  final EngineQueue queue;

  /** The pair it is posted on; null while it is idle or a receive from any rank. */
  EnginePair pair;

  /** Ranks that a receive from any listens to; null for all other requests. */
  BitSet peers;

  /** Place in the order of posting over all pairs of the mesh. */
  long order;

  private long expected;
  private int partsLeft;
  private long whole;
  private volatile State state = State.IDLE;
  private JGlooException failure;
  private long transferred;
  private int peer = -1;

  EngineRequest(EngineQueue queue) {
    this.queue = queue;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public JGlooException failure() {
    return failure;
  }

  @Override
  public long transferred() {
    return transferred;
  }

  @Override
  public int peer() {
    return peer;
  }

  /**
   * Checks the reduction of a receive that is about to be posted.
   *
   * @throws IllegalArgumentException if the reduction's elements are too long or do not fill the
   *     range, or an array has none
   */
  void checkGranules() {
    if (reduction() == null) {
      if (array() != null) {
        throw new IllegalArgumentException("a receive into an array needs a reduction");
      }
      return;
    }
    int granule = reduction().granule();
    if (granule < 1 || granule > MAX_GRANULE) {
      throw new IllegalArgumentException(
          "the reduction's granule must be 1 to " + MAX_GRANULE + " bytes, but is " + granule);
    }
    if (length() % granule != 0) {
      throw new IllegalArgumentException(
          ("length " + length() + " must be a multiple of the reduction's granule ") + granule);
    }
  }

  /** The array that its bytes lie in, or null. */
  public Object array() {
    Buffer window = buffer();
    return window == null ? null : window.array(); // it may have no message yet
  }

  /** Bytes of one element, which is never cut; 1 if the bytes are only stored. */
  public int granule() {
    return reduction() == null ? 1 : reduction().granule();
  }

  /** Whether it is a receive from any of several ranks. */
  public boolean isFromAny() {
    return peers != null;
  }

  /** Whether it was posted before another request of the same mesh. */
  public boolean isBefore(EngineRequest other) {
    return order < other.order;
  }

  /** Records how many bytes the peer has announced for the grant this receive has given. */
  public void expect(long bytes) {
    expected = bytes;
  }

  /** Bytes the peer has announced for the grant this receive has given. */
  public long expected() {
    return expected;
  }

  /** Begins the transfer of its message, in this many parts. */
  public void begin(long length, int parts) {
    whole = length;
    partsLeft = parts;
  }

  /** Records that one part has been moved; the last one completes the request. */
  public void completePart(int from) {
    if (--partsLeft == 0) {
      complete(whole, from);
    }
  }

  void post(EnginePair on, long place) {
    pair = on;
    peers = null;
    order = place;
    peer = on == null ? -1 : on.peer();
    failure = null;
    transferred = 0;
    state = State.POSTED;
  }

  /** Completes the request. */
  public void complete(long bytes, int from) {
    transferred = bytes;
    peer = from;
    end(State.DONE);
  }

  /** Fails the request, unless it has ended. */
  public void fail(JGlooException cause) {
    if (!isDone()) {
      failure = cause;
      partsLeft = 0;
      end(State.FAILED);
    }
  }

  /** Fails a receive, unless it is one from any rank that can wait for another rank. */
  public void failOrWait(JGlooException cause) {
    if (peers == null || pair == null || !pair.release(this)) {
      fail(cause);
    }
  }

  /** Whether bytes of its message have moved, or are about to. */
  boolean hasBegun() {
    return partsLeft > 0;
  }

  /** None of its bytes counts as moved. */
  void restart() {
    partsLeft = 0;
  }

  /** Whether its bytes are only stored, so that those of another message can overwrite them. */
  boolean isPlain() {
    return reduction() == null;
  }

  @Override
  public boolean cancel() {
    return queue.mesh().cancel(this);
  }

  /** Ends the request as withdrawn. */
  public void endCancelled() {
    end(State.CANCELLED);
  }

  private void end(State last) {
    pair = null;
    state = last;
    queue.push(this);
  }
}
