package io.jgloo.transport.shm;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.OutgoingList;
import io.jgloo.transport.engine.SendQueue;
import io.jgloo.transport.tcp.wire.Frame;
import java.util.BitSet;
import java.util.function.LongPredicate;

/**
 * The sends of a pair whose bytes the peer reads in this rank's memory. They are done when the peer
 * says so, or fail after the memory was revoked.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class Lending {

  /** Shorter messages are copied into the ring: the answer takes longer than the copy. */
  public static final int LEAST_BYTES = 4 << 10;

  /**
   * Longer messages wait for their receive: one that is early is copied, which takes longer than
   * the announcement, and the copy is reduced from then, in place of the peer's memory.
   */
  public static final long EAGER_BYTES = 16 << 10;

  private final SharingPair stream;
  private final MemoryChannel channel;
  private final SendQueue sends;
  private final MeshHeap heap;
  private final OutgoingList lent = new OutgoingList();
  private final BitSet unanswered = new BitSet();
  private final BitSet attached = new BitSet();

  public Lending(SharingPair stream, MeshHeap heap, MemoryChannel channel, SendQueue sends) {
    this.stream = stream;
    this.channel = channel;
    this.sends = sends;
    this.heap = heap;
  }

  // Extents.

  void offer(Extent extent) {
    byte[] offer = extent.offer();
    if (offer != null) {
      unanswered.set(extent.number());
      sends.add(Frame.EXTENT, extent.number(), offer.length).notice = offer;
      stream.flush();
    }
  }

  /** The peer has answered an offer. */
  public void answered(long number, long result) {
    boolean offered = number >= 0 && number <= Integer.MAX_VALUE && unanswered.get((int) number);
    if (!offered || result < 0 || result > 1) {
      throw new ProtocolException(
          "the answer " + result + " to an offer of extent " + number + ", which was not made");
    }
    unanswered.clear((int) number);
    attached.set((int) number, result == 1);
    heap.answered((int) number);
  }

  public boolean awaitsAnswer(int number) {
    return unanswered.get(number);
  }

  /** Nothing more is sent from an extent. */
  void retire(Extent extent) {
    if (attached.get(extent.number()) || unanswered.get(extent.number())) {
      stream.control(Frame.RETIRED, extent.number(), 0);
    }
  }

  // Sends.

  /** The extent in which the bytes of a send lie, if the peer has mapped it; else null. */
  public Extent find(EngineRequest request) {
    Extent extent = heap.find(request.address(), request.length());
    return extent == null || !attached.get(extent.number()) ? null : extent;
  }

  /** Makes a frame that carries a send one by which the peer reads it in this extent. */
  public Outgoing lend(Outgoing frame, Extent extent) {
    frame.opcode = Frame.SHARED;
    frame.key = extent.number();
    frame.remoteOffset = frame.request.address() - extent.address();
    return frame;
  }

  /** The frame of a send is on its way. */
  public void sent(Outgoing frame) {
    lent.add(frame);
  }

  /** The peer has read the oldest message of a slot. */
  public void done(long slot, long length) {
    Outgoing frame = lent.find(slot);
    if (frame == null || length != frame.length) {
      throw new ProtocolException(
          ("the end of a message of " + length + " bytes in this rank's memory on slot " + slot)
              + (", but there is " + (frame == null ? "none" : "one of " + frame.length)));
    }
    lent.remove(frame);
    stream.lent(length);
    frame.request.complete(length, stream.pair().peer());
    sends.recycle(frame);
  }

  /** Whether a send from this extent is not done, by whatever way it goes. */
  boolean lends(Extent extent) {
    return stream.isWriting()
        || holds(lent, extent)
        || holds(sends.waiting(), extent)
        || holds(sends.announced(), extent);
  }

  private static boolean holds(OutgoingList frames, Extent extent) {
    for (Outgoing frame : frames) {
      EngineRequest request = frame.request;
      if (request != null && extent.contains(request.address(), request.length())) {
        return true;
      }
    }
    return false;
  }

  public boolean isPending() {
    return lent.first() != null;
  }

  public boolean awaits(LongPredicate slots) {
    return lent.hasRequest(slots);
  }

  /** Fails what the peer has not read. What it reads from now on, it does not take for good. */
  public void failAll(JGlooException cause) {
    if (lent.first() == null) {
      return;
    }
    if (stream.link() != null) {
      revoke(); // before the requests end: their memory may be changed then
    }
    for (Outgoing frame = lent.poll(); frame != null; frame = lent.poll()) {
      frame.request.fail(cause);
      sends.recycle(frame);
    }
  }

  private void revoke() {
    try {
      channel.revoke();
    } catch (InternalError e) {
      // The peer has truncated the memory in which it would read that.
    }
  }

  /** The pair has ended: no offer is answered any more. */
  public void close() {
    int[] numbers = unanswered.stream().toArray();
    unanswered.clear();
    for (int number : numbers) {
      heap.answered(number);
    }
  }
}
