package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Request;
import io.jgloo.transport.SlotChain;
import java.util.BitSet;

/**
 * One send or receive, put or get, over RDMA.
 *
 * <p>All fields but {@link #state} are guarded by the mesh's lock; writing the state last is the
 * release that a reader of the state pairs with.
 */
final class IbverbsRequest extends Request implements Chain.Node<IbverbsRequest>, SlotChain.Node {

  /** Longest element of a reduction; several must fit into a segment. */
  private static final int MAX_GRANULE = BouncePool.SEGMENT_BYTES / 4;

  final IbverbsQueue queue;

  /** The pair it is posted on; null while it is idle or a receive from any. */
  IbverbsPair pair;

  /** Ranks a receive from any listens to; null for all other requests. */
  BitSet peers;

  /** Place in the order of posting over all pairs of the mesh. */
  long order;

  private IbverbsRequest next;
  private volatile State state = State.IDLE;
  private GlooException failure;
  private long transferred;
  private int peer = -1;

  IbverbsRequest(IbverbsQueue queue) {
    this.queue = queue;
  }

  @Override
  public IbverbsRequest next() {
    return next;
  }

  @Override
  public void next(IbverbsRequest request) {
    next = request;
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
   * @throws IllegalArgumentException if the reduction's elements are too long or do not fill the
   *     range
   */
  void checkGranules() {
    if (reduction() == null) {
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

  void post(IbverbsPair on, long place) {
    pair = on;
    peers = null;
    order = place;
    peer = on == null ? -1 : on.peer();
    failure = null;
    transferred = 0;
    state = State.POSTED;
  }

  void complete(long bytes, int from) {
    transferred = bytes;
    peer = from;
    end(State.DONE);
  }

  void fail(GlooException cause) {
    failure = cause;
    end(State.FAILED);
  }

  void cancel() {
    end(State.CANCELLED);
  }

  private void end(State last) {
    pair = null;
    state = last;
    queue.push(this);
  }
}
