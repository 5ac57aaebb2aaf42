package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.Memory;
import io.jgloo.transport.ProtocolException;

/**
 * The sending half of a pair: short messages go eagerly into the peer's ring, long ones are
 * announced and written into place when the peer asks for them.
 *
 * <p>Two credits keep within what the peer has room for: receives it has posted, and bytes it is
 * ready to hold without having asked for them. The last of the receives is kept for a frame that
 * brings nothing but credit, so two ranks that are both out of it cannot wait for each other.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class Outbox {

  private static final int RESERVED_CREDITS = 1;

  private final IbverbsPair pair;
  private final OutgoingQueue waiting = new OutgoingQueue();
  private final Announced announced = new Announced();
  private final Transfers transfers = new Transfers();
  private long consumed;
  private int returned;
  private long eagerSent;
  private long eagerMatched;

  Outbox(IbverbsPair pair) {
    this.pair = pair;
  }

  /** What a message of this length counts against a window: its bytes and the bookkeeping. */
  static long cost(long length) {
    return length + 64;
  }

  void send(IbverbsRequest request) {
    long length = request.length();
    boolean eager =
        length <= pair.eagerBytes() && eagerSent - eagerMatched + cost(length) <= pair.peerWindow();
    Outgoing frame = waiting.add(eager ? Frame.EAGER : Frame.ANNOUNCE, request.slot(), length);
    frame.high = request.fingerprintHigh();
    frame.low = request.fingerprintLow();
    frame.request = request;
    if (eager) {
      eagerSent += cost(length);
    } else {
      announced.add(frame);
    }
  }

  /** Asks for a part of an announced message. */
  void grant(int message, int ticket, long offset, long length, long address, int key) {
    Outgoing frame = waiting.add(Frame.GRANT, 0, length);
    frame.high = offset;
    frame.low = address;
    frame.message = message;
    frame.ticket = ticket;
    frame.key = key;
  }

  /** Reads or writes the peer's memory. */
  void oneSided(IbverbsRequest request, boolean reads, long address, int key, MemoryRegion region) {
    Transfer transfer = transfers.add();
    transfer.request = request;
    transfer.reads = reads;
    transfer.address = request.address();
    transfer.length = request.length();
    transfer.remoteAddress = address;
    transfer.remoteKey = key;
    transfer.region = region;
  }

  /**
   * The peer tells how many receives it has posted again and how much eager cost it has matched.
   *
   * @throws ProtocolException if that is more than was sent or less than it told before
   */
  void credit(int newlyReturned, long matched) {
    if (matched < eagerMatched || matched > eagerSent) {
      throw new ProtocolException(
          "credit for " + matched + " bytes after " + eagerMatched + ", of " + eagerSent + " sent");
    }
    if (newlyReturned - returned < 0 || newlyReturned - (int) consumed > 0) {
      throw new ProtocolException(
          "credit for %d receives after %d, of %d used"
              .formatted(newlyReturned, returned, consumed));
    }
    eagerMatched = matched;
    returned = newlyReturned;
  }

  /**
   * The peer asks for a part of an announced message.
   *
   * @throws ProtocolException if there is no such message or part
   */
  void granted(long frame) {
    int message = Frame.message(frame);
    long offset = Frame.fingerprintHigh(frame);
    long length = Frame.length(frame);
    Outgoing out = announced.find(message);
    boolean empty = out != null && length == 0 && out.length > 0;
    if (out == null || empty || offset != out.granted || length > out.length - offset) {
      throw new ProtocolException(
          "a grant for %d bytes at %d of message %d, which is none"
              .formatted(length, offset, message));
    }
    if (out.request == null) {
      announced.remove(out);
      waiting.recycle(out);
      waiting.add(Frame.WITHDRAWN, 0, 0).ticket = Frame.ticket(frame);
      return;
    }
    out.granted += Math.max(1, length); // an empty message is granted once
    Transfer transfer = transfers.add();
    transfer.message = out;
    transfer.request = out.request;
    transfer.ticket = Frame.ticket(frame);
    transfer.address = out.request.address() + offset;
    transfer.length = length;
    transfer.remoteAddress = Frame.fingerprintLow(frame);
    transfer.remoteKey = Frame.key(frame);
    transfer.region = pair.mesh().registrations().find(out.request);
  }

  /** Hands over as much as there is room and credit for. */
  void flush() {
    SendQueue sends = pair.sends();
    while (waiting.first() != null && sends.hasRoom() && credits() > RESERVED_CREDITS) {
      post(waiting.poll());
    }
    while (transfers.first() != null && move(transfers.first())) {
      if (transfers.first().ended) {
        transfers.poll();
      }
    }
    boolean owes = pair.receives().owesCredit() || pair.matching().owesCredit();
    if (owes && sends.hasRoom() && credits() > 0) {
      post(waiting.make(Frame.CREDIT, 0, 0));
    }
    sends.ring();
  }

  private int credits() {
    return pair.peerDepth() - ((int) consumed - returned);
  }

  /** Receives of the peer used up so far. */
  long consumed() {
    return consumed;
  }

  private void post(Outgoing frame) {
    SendQueue sends = pair.sends();
    long at = sends.slot();
    int credit = pair.receives().creditToTell();
    Frame.write(at, frame.opcode, credit, frame.slot, frame.length, pair.matching().creditToTell());
    Frame.fingerprint(at, frame.high, frame.low);
    Frame.rendezvous(at, frame.message, frame.ticket, frame.key);
    int bytes = Frame.BYTES;
    if (frame.opcode == Frame.EAGER && frame.length > 0) {
      Memory.copy(frame.request.address(), at + Frame.BYTES, frame.length);
      bytes += (int) frame.length;
    }
    consumed++;
    sends.frame(bytes);
    pair.mesh().traffic().sent(bytes);
    if (frame.opcode == Frame.EAGER) {
      IbverbsRequest request = frame.request;
      waiting.recycle(frame);
      request.complete(request.length(), pair.peer());
    } else if (frame.opcode != Frame.ANNOUNCE) {
      waiting.recycle(frame);
    }
  }

  /** Hands the next piece of a transfer to the device; false if there is no room for it now. */
  private boolean move(Transfer transfer) {
    SendQueue sends = pair.sends();
    IbverbsMesh mesh = pair.mesh();
    long left = transfer.length - transfer.moved;
    boolean copied = transfer.region == null && left > 0;
    long most = copied ? BouncePool.SEGMENT_BYTES : mesh.adapter().maxMessageBytes();
    int piece = (int) Math.min(left, most);
    boolean last = piece == left;
    boolean tells = last && transfer.message != null;
    if (!sends.hasRoom() || (tells && credits() <= RESERVED_CREDITS)) {
      return false;
    }
    long from = transfer.address + transfer.moved;
    long segment = copied ? mesh.resources().takeToSend(pair) : 0;
    if (copied && segment == 0) {
      return false;
    }
    if (copied) {
      Memory.copy(from, segment, piece);
    }
    sends.remote(
        transfer.reads
            ? SendWork.RDMA_READ
            : tells ? SendWork.RDMA_WRITE_WITH_IMMEDIATE : SendWork.RDMA_WRITE,
        transfer.ticket,
        copied ? segment : from,
        piece,
        copied
            ? mesh.resources().sendKey()
            : transfer.region == null ? 0 : transfer.region.localKey(),
        transfer.remoteAddress + transfer.moved,
        transfer.remoteKey,
        last ? transfer : null,
        segment);
    transfer.moved += piece;
    transfer.ended = last;
    consumed += tells ? 1 : 0;
    mesh.traffic().moved(piece, transfer.reads, copied);
    return true;
  }

  /** The device is done with a transfer. */
  void moved(Transfer transfer) {
    Outgoing out = transfer.message;
    IbverbsRequest request = transfer.request;
    long length = transfer.length;
    transfers.recycle(transfer);
    if (out == null) {
      if (!request.isDone()) {
        request.complete(length, pair.peer());
      }
      return;
    }
    out.done += length;
    if (out.done == out.length && out.request != null) {
      out.request.complete(out.length, pair.peer());
      announced.remove(out);
      waiting.recycle(out);
    }
  }

  /** Withdraws a send of which nothing has been asked for; false if it is too late. */
  boolean cancel(IbverbsRequest request) {
    Outgoing out = announced.find(request);
    if (out != null && out.granted > 0) {
      return false;
    }
    if (out != null && !waiting.remove(out)) {
      out.request = null; // the peer knows of it, and is told when it asks
    } else if (out != null) {
      announced.remove(out);
      waiting.recycle(out);
    } else {
      Outgoing frame = waiting.find(request);
      if (frame == null) {
        return false;
      }
      eagerSent -= cost(frame.length);
      waiting.remove(frame);
      waiting.recycle(frame);
    }
    request.cancel();
    return true;
  }

  /** Whether a send, put or get is not done yet. */
  boolean isPending() {
    return waiting.hasRequest() || announced.hasRequest() || transfers.isBusy();
  }

  /** Fails every request; the queue pair is gone, so nothing touches user memory any more. */
  void failAll(GlooException cause) {
    waiting.failAll(cause);
    announced.failAll(cause);
    transfers.failAll(cause);
  }
}
