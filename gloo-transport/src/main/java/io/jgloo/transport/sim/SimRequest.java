package io.jgloo.transport.sim;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.Memory;
import io.jgloo.transport.Request;
import java.util.BitSet;

/**
 * One send or receive in a simulated world.
 *
 * <p>Guarded by the scheduler's lock; the state is written last, and a reader without the lock
 * pairs with that.
 */
final class SimRequest extends Request {

  /** Sources need not be aligned, so here they are not. */
  private static final int SKEW = 3;

  final SimQueue queue;

  /** Ranks a receive from any listens to, or null. */
  BitSet peers;

  /** Place in the order of posting. */
  long order;

  /** Of a granted send: the receive its bytes go to. */
  SimRequest receiver;

  /** Bytes sent or stored so far. */
  long moved;

  private volatile State state = State.IDLE;
  private GlooException failure;
  private long transferred;
  private int peer = -1;

  SimRequest(SimQueue queue) {
    this.queue = queue;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public GlooException failure() {
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
   * @param with the peer, or -1 if any will do
   * @throws IllegalStateException if it is posted already or has no message
   */
  void post(int with, BitSet set, long place) {
    if (state == State.POSTED) {
      throw new IllegalStateException("the request is posted already");
    }
    if (buffer() == null) {
      throw new IllegalStateException("the request has no message");
    }
    peer = with;
    peers = set;
    order = place;
    receiver = null;
    moved = 0;
    failure = null;
    transferred = 0;
    state = State.POSTED;
  }

  void complete(long bytes, int with) {
    transferred = bytes;
    peer = with;
    end(State.DONE);
  }

  void fail(GlooException cause) {
    failure = cause;
    end(State.FAILED);
  }

  void cancel() {
    end(State.CANCELLED);
  }

  private void end(State how) {
    state = how;
    queue.add(this);
  }

  /** The next bytes of this send. */
  byte[] read(int bytes) {
    byte[] piece = new byte[bytes];
    Memory.copy(address() + moved, piece, 0, bytes);
    moved += bytes;
    return piece;
  }

  /** Stores or reduces the next bytes into this receive; whole elements only. */
  void store(byte[] piece) {
    if (reduction() == null) {
      Memory.copy(piece, 0, address() + moved, piece.length);
    } else {
      long block = Memory.allocate(piece.length + SKEW, Memory.CACHE_LINE);
      try {
        Memory.copy(piece, 0, block + SKEW, piece.length);
        queue.mesh().reductions.run(reduction(), address() + moved, block + SKEW, piece.length);
      } finally {
        Memory.free(block);
      }
    }
    moved += piece.length;
  }

  /**
   * @throws IllegalArgumentException if a reduction would have to cut an element
   */
  void checkGranules() {
    if (length() % granule() != 0) {
      throw new IllegalArgumentException(
          "length %d must be a multiple of the reduction's granule %d"
              .formatted(length(), granule()));
    }
  }

  int granule() {
    return reduction() == null ? 1 : reduction().granule();
  }
}
