package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.Transfers.Transfer;
import io.jgloo.transport.ibverbs.verbs.SendWork;
import io.jgloo.transport.memory.Memory;

/**
 * The send side of a queue pair: numbers work requests, chains them, posts many with one call, and
 * has few completions reported.
 *
 * <p>The device completes a pair's requests in order, so one completion covers all requests before
 * it: reported are every quarter of the queue and requests that a thread waits for.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the memory of its work requests.
 */
final class SendWorks {

  private final IbverbsLink link;
  private final int depth;
  private final int slotBytes;
  private final long slots;
  private final int localKey;
  private final long works;
  private final Transfer[] transfers;
  private final long[] segments;
  private long posted;
  private long completed;
  private long completedBefore;
  private long lastSignaled = -1;
  private long chain;
  private long lastOfChain;

  SendWorks(IbverbsLink link, long slots, int localKey) {
    this.link = link;
    this.slots = slots;
    this.localKey = localKey;
    depth = link.mesh().settings().depth();
    slotBytes = link.mesh().settings().slotBytes();
    works = Memory.allocate((long) depth * SendWork.BYTES + Long.BYTES, Memory.CACHE_LINE);
    transfers = new Transfer[depth];
    segments = new long[depth];
  }

  boolean hasRoom() {
    return posted - completed < depth;
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return posted == completed;
  }

  /** Where the next frame is to be written. */
  long slot() {
    return slots + (posted & (depth - 1)) * slotBytes;
  }

  /** Sends the frame that was written into {@link #slot}. */
  void frame(int bytes) {
    int flags = flags(false) | (bytes <= link.maxInlineBytes() ? SendWork.INLINE : 0);
    long at = work();
    SendWork.write(at, id(), SendWork.SEND, flags, 0, slot(), bytes, localKey);
    link(at);
  }

  /**
   * Reads or writes the peer's memory.
   *
   * @param ends the transfer whose last piece this is, or null
   * @param segment to give back when it is complete, or 0
   */
  void remote(
      int opcode,
      int immediate,
      long address,
      int length,
      int key,
      long remoteAddress,
      int remoteKey,
      Transfer ends,
      long segment) {
    int flags = flags(ends != null || segment != 0);
    long at = work();
    SendWork.write(at, id(), opcode, flags, immediate, address, length, key);
    SendWork.remote(at, remoteAddress, remoteKey);
    int place = (int) (posted & (depth - 1));
    transfers[place] = ends;
    segments[place] = segment;
    link(at);
  }

  /** Has the completion of the last request reported, by a request that moves nothing. */
  void tellOfTheLast() {
    if (posted > completed && lastSignaled != posted - 1 && hasRoom()) {
      moveNothing();
    }
  }

  /**
   * Posts a request that moves nothing if the device has reported no completion since the last call
   * though it has work. Soft-RoCE checks whether it must pause, and then notes that it does; if
   * what it waits for happens in between, only another request wakes it.
   *
   * @return whether there is a request to post
   */
  boolean nudge() {
    boolean asleep = !isIdle() && completed == completedBefore && hasRoom();
    completedBefore = completed;
    if (asleep) {
      moveNothing();
    }
    return asleep;
  }

  private void moveNothing() {
    int flags = flags(true);
    long at = work();
    SendWork.write(at, id(), SendWork.RDMA_WRITE, flags, 0, slot(), 0, localKey);
    link(at);
  }

  private int flags(boolean wanted) {
    boolean signaled = wanted || (posted & (depth / 4 - 1)) == depth / 4 - 1;
    if (signaled) {
      lastSignaled = posted;
    }
    return signaled ? SendWork.SIGNALED : 0;
  }

  private long work() {
    return works + (posted & (depth - 1)) * SendWork.BYTES;
  }

  private long id() {
    return WorkId.of(WorkId.SEND, link.peer(), posted);
  }

  private void link(long at) {
    if (chain == 0) {
      chain = at;
    } else {
      SendWork.next(lastOfChain, at);
    }
    lastOfChain = at;
    posted++;
  }

  /**
   * Hands over what has been chained.
   *
   * @throws UnavailableException if the device does not take it
   */
  void ring() {
    if (chain == 0) {
      return;
    }
    long first = chain;
    chain = 0;
    long refused = works + (long) depth * SendWork.BYTES;
    int errno = link.mesh().adapter().verbs().postSend(link.queuePair(), first, refused);
    if (errno != 0) {
      throw new UnavailableException(
          "ibv_post_send to peer " + link.peer() + " failed with errno " + errno);
    }
  }

  /** All up to the request of this number are complete. */
  void completed(long number) {
    long last = completed + ((number - completed) & WorkId.NUMBER_MASK);
    for (; completed <= last; completed++) {
      int place = (int) (completed & (depth - 1));
      long segment = segments[place];
      if (segment != 0) {
        segments[place] = 0;
        link.mesh().resources().giveBackToSend(segment);
      }
      Transfer transfer = transfers[place];
      if (transfer != null) {
        transfers[place] = null;
        link.route().moved(transfer);
      }
    }
  }

  void close() {
    Memory.free(works);
  }
}
