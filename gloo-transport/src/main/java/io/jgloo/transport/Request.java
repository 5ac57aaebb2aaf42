package io.jgloo.transport;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One send or receive; made by a {@link CompletionQueue}, posted on a {@link Pair}, and used again
 * after it has completed.
 *
 * <p><i>Threads</i>: describe and post from one thread at a time; {@link #state} may be read by
 * any. <i>Fails</i>: a posted request always ends {@link State#DONE}, {@link State#FAILED} or
 * {@link State#CANCELLED}; from then on no transport touches its memory.
 */
public abstract class Request {

  /** Where a request is in its life. */
  public enum State {
    /** Not posted yet. An ended request keeps its state until it is posted again. */
    IDLE,
    /** In the hands of the transport. */
    POSTED,
    /** Completed: the bytes are where they belong (send: out of the user's memory). */
    DONE,
    /** Ended by {@link Request#failure}. */
    FAILED,
    /** Withdrawn by {@link Request#cancel} before any byte moved. */
    CANCELLED
  }

  /** The remote offset of a request that is not {@link #bound}. */
  public static final long UNBOUND = -1;

  private long slot;

  @SuppressWarnings("NullAway.Init") // set by message, before the request is posted
  private Buffer buffer;

  private long offset;
  private long length;
  private long fingerprintHigh;
  private long fingerprintLow;
  private @Nullable Reduction reduction;
  private boolean shorterAllowed;
  private boolean copied;
  private long remoteOffset = UNBOUND;
  private int index;
  private @Nullable Object attachment;

  protected Request() {}

  /**
   * Sets which message it is: slot and bytes. Clears fingerprint, reduction, {@link #allowShorter}
   * and {@link #bound}.
   *
   * @param slot see {@link Slot}
   * @param buffer of the same mesh
   * @param offset first byte within the buffer
   * @param length in bytes; 0 is a message too
   * @return this
   * @throws IllegalArgumentException if the range is not inside the buffer
   * @throws IllegalStateException if this request is posted
   */
  public final Request message(long slot, Buffer buffer, long offset, long length) {
    if (state() == State.POSTED) {
      throw new IllegalStateException("the request is posted; describe it again when it has ended");
    }
    Objects.requireNonNull(buffer, "buffer");
    if (offset < 0 || length < 0 || offset > buffer.length() - length) {
      throw new IllegalArgumentException(
          ("offset " + offset + " and length " + length)
              + (" must lie within a buffer of " + buffer.length() + " bytes"));
    }
    this.slot = slot;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    fingerprintHigh = 0;
    fingerprintLow = 0;
    reduction = null;
    shorterAllowed = false;
    copied = false;
    remoteOffset = UNBOUND;
    return this;
  }

  /**
   * What both sides must agree on besides slot and length; opaque here. A receive whose fingerprint
   * differs from the message's fails the mesh with a {@link MismatchException} on both sides.
   */
  public final Request fingerprint(long high, long low) {
    fingerprintHigh = high;
    fingerprintLow = low;
    return this;
  }

  /**
   * Receive only: combine arriving bytes into the buffer by this kernel instead of storing. The
   * length must be a multiple of the kernel's granule. A kernel that throws fails the mesh with an
   * {@link AbortedException} of this rank, caused by what it threw.
   */
  public final Request reducing(Reduction kernel) {
    reduction = kernel;
    return this;
  }

  /**
   * Receive only: a message may be shorter than the range; {@link #transferred} returns its length.
   */
  public final Request allowShorter() {
    shorterAllowed = true;
    return this;
  }

  /**
   * Send only: a message that is short enough to be sent before its receive is posted is copied,
   * and does not wait until the peer reads it where it lies. For peers that need not make progress.
   */
  public final Request copied() {
    copied = true;
    return this;
  }

  /**
   * Binds the message to a place, on Gloo's wires only; others ignore it. A bound send is sent
   * without a credit and names this offset of the receiver's buffer; a bound receive takes the next
   * such message of its slot, which must name the same offset. Bound and other messages of one slot
   * do not match each other.
   *
   * @param offset in the receiver's registered buffer, in bytes; at least 0
   * @throws IllegalArgumentException if it is negative
   */
  public final Request bound(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("offset must not be negative, but is " + offset);
    }
    remoteOffset = offset;
    return this;
  }

  /** A number of the caller's own, untouched by the transport. */
  public final Request index(int value) {
    index = value;
    return this;
  }

  public final long slot() {
    return slot;
  }

  public final Buffer buffer() {
    return buffer;
  }

  public final long offset() {
    return offset;
  }

  public final long length() {
    return length;
  }

  /** Address of the first byte of the message. */
  public final long address() {
    return buffer.address() + offset;
  }

  public final long fingerprintHigh() {
    return fingerprintHigh;
  }

  public final long fingerprintLow() {
    return fingerprintLow;
  }

  /** The kernel arriving bytes go through, or null. */
  public final @Nullable Reduction reduction() {
    return reduction;
  }

  public final boolean shorterAllowed() {
    return shorterAllowed;
  }

  /** Whether a short message is copied, see {@link #copied}. */
  public final boolean isCopied() {
    return copied;
  }

  /** Where in the receiver's buffer a bound message goes, or {@link #UNBOUND}. */
  public final long remoteOffset() {
    return remoteOffset;
  }

  public final boolean isBound() {
    return remoteOffset != UNBOUND;
  }

  /** Attaches an object of the caller's own, untouched by the transport. */
  public final Request attach(@Nullable Object object) {
    attachment = object;
    return this;
  }

  /** The object attached last, or null. */
  public final @Nullable Object attachment() {
    return attachment;
  }

  public final int index() {
    return index;
  }

  public abstract State state();

  /**
   * Withdraws this request if it is posted and no byte has moved.
   *
   * @return true if it is now {@link State#CANCELLED} (it completes in its queue), false if it is
   *     not posted or past the point of return; only closing or aborting the mesh ends it then
   */
  public abstract boolean cancel();

  /** Why the request failed, or null. */
  public abstract @Nullable JGlooException failure();

  /** Bytes the completed message had. */
  public abstract long transferred();

  /** The rank at the other end; of a receive from any, known when it has completed, before -1. */
  public abstract int peer();

  /** Whether the request has ended, one way or another. */
  public final boolean isDone() {
    State state = state();
    return state != State.IDLE && state != State.POSTED;
  }
}
