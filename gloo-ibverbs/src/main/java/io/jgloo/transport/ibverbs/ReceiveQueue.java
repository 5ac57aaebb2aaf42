package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.ReceiveWork;
import io.jgloo.transport.memory.Memory;

/**
 * The receive side of a queue pair: a ring of slots, posted again an eighth of them at a time.
 *
 * <p>The peer gets its credit when half of them are back, so it never waits for the few that are
 * not posted yet.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the memory of its work requests.
 */
final class ReceiveQueue {

  private final IbverbsLink link;
  private final int depth;
  private final int batch;
  private final int slotBytes;
  private final long slots;
  private final long works;
  private long chain;
  private long lastOfChain;
  private int chained;
  private int returned;
  private int reported;

  ReceiveQueue(IbverbsLink link, long slots, int localKey) {
    this.link = link;
    this.slots = slots;
    depth = link.mesh().settings().depth();
    batch = depth / 8;
    slotBytes = link.mesh().settings().slotBytes();
    works = Memory.allocate((long) depth * ReceiveWork.BYTES + Long.BYTES, Memory.CACHE_LINE);
    for (int i = 0; i < depth; i++) {
      ReceiveWork.write(
          works + (long) i * ReceiveWork.BYTES,
          WorkId.of(WorkId.RECEIVE, link.peer(), i),
          slot(i),
          slotBytes,
          localKey);
    }
  }

  /** Posts all slots for the first time. */
  void open() {
    for (int i = 0; i < depth; i++) {
      post(i);
    }
    ring();
    returned = 0;
  }

  long slot(long place) {
    return slots + place * slotBytes;
  }

  /** A slot has been read. */
  void post(long place) {
    long at = works + place * ReceiveWork.BYTES;
    ReceiveWork.next(at, 0);
    if (chain == 0) {
      chain = at;
    } else {
      ReceiveWork.next(lastOfChain, at);
    }
    lastOfChain = at;
    chained++;
  }

  /**
   * Hands over what has been chained, if it is worth a call.
   *
   * @throws UnavailableException if the device does not take it
   */
  void ring() {
    if (chained < batch) {
      return;
    }
    long first = chain;
    chain = 0;
    returned += chained;
    chained = 0;
    long refused = works + (long) depth * ReceiveWork.BYTES;
    int errno = link.mesh().adapter().verbs().postReceive(link.queuePair(), first, refused);
    if (errno != 0) {
      throw new UnavailableException(
          "ibv_post_recv for peer " + link.peer() + " failed with errno " + errno);
    }
  }

  /** Slots posted again so far; the peer gets it with the next frame. */
  int creditToTell() {
    reported = returned;
    return returned;
  }

  /** Whether the credit should be sent even without another frame. */
  boolean owesCredit() {
    return returned - reported >= depth / 2;
  }

  void close() {
    Memory.free(works);
  }
}
