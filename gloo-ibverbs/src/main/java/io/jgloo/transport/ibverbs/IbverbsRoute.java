package io.jgloo.transport.ibverbs;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.ByteMover;
import io.jgloo.transport.engine.CreditRoute;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.ibverbs.Transfers.Transfer;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import io.jgloo.transport.ibverbs.verbs.SendWork;
import io.jgloo.transport.memory.Memory;

/**
 * The frames between two ranks on a queue pair: short messages go eagerly into the peer's ring,
 * long ones are announced and written into place when the peer grants them.
 *
 * <p>Beside the credit for bytes a second one counts the receives that the peer has posted. The
 * last of them is kept for a frame that brings nothing but credit, so two ranks that are both out
 * of it cannot wait for each other.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class IbverbsRoute extends CreditRoute implements ByteMover {

  private static final int RESERVED_CREDITS = 1;

  private final IbverbsMesh mesh;
  private final IbverbsLink link;
  private final GrantedReceives grantedReceives;
  private final NumberedSends numbered = new NumberedSends();
  private final Transfers transfers = new Transfers();
  private long consumed;
  private int returned;

  /** Where the payload of the eager message lies that is being handled. */
  private long payload;

  IbverbsRoute(IbverbsMesh mesh, IbverbsLink link, EnginePair pair) {
    super(pair, mesh.settings().windowBytes());
    this.mesh = mesh;
    this.link = link;
    grantedReceives = new GrantedReceives(mesh, this);
  }

  GrantedReceives grantedReceives() {
    return grantedReceives;
  }

  // What the engine asks for.

  @Override
  protected long eagerBytes(EngineRequest send) {
    return link.eagerBytes();
  }

  @Override
  protected long peerWindow() {
    return link.peerWindow();
  }

  @Override
  protected boolean isMoving(Outgoing announced) {
    return announced.granted > 0;
  }

  @Override
  protected boolean withdrawGranted(Outgoing frame) {
    return false; // a granted message is in no frame
  }

  @Override
  protected void grant(EngineRequest request, long length, int number) {
    grantedReceives.begin(request, number, length);
  }

  @Override
  protected void arrive(EngineRequest request, long length) {
    store(request, 0, payload, length);
    request.complete(length, pair.peer());
  }

  /** Stores or reduces bytes into a receive. */
  void store(EngineRequest request, long offset, long from, long count) {
    if (count % request.granule() != 0) {
      throw new ProtocolException(
          count + " bytes, which is not a multiple of the element size " + request.granule());
    }
    if (request.reduction() == null) {
      Memory.copy(from, request.address() + offset, count);
    } else if (count > 0) {
      mesh.reduce(request.reduction(), request.address() + offset, from, count);
    }
  }

  @Override
  protected void hold(UnexpectedMessage message) {
    Memory.copy(payload, message.memory(), message.length());
    message.complete();
  }

  @Override
  protected void claim(EngineRequest request) {
    throw new IllegalStateException("a message in a ring is always complete");
  }

  @Override
  protected void creditDue() {
    mesh.touch(link);
  }

  @Override
  protected ByteMover mover() {
    return this;
  }

  @Override
  public boolean isSending() {
    return transfers.isBusy();
  }

  @Override
  public boolean isReceiving() {
    return grantedReceives.isBusy();
  }

  @Override
  public String medium() {
    return "rdma";
  }

  @Override
  public boolean isConnected() {
    return true; // a mesh starts when all pairs are
  }

  @Override
  public void expectMessage() {
    // All pairs complete in one queue.
  }

  @Override
  protected void flush() {
    mesh.touch(link);
  }

  @Override
  public String where() {
    return link.where();
  }

  @Override
  public void failSends(JGlooException cause) {
    transfers.failAll(cause);
  }

  @Override
  public void failAll(JGlooException cause) {
    grantedReceives.failAll(cause);
    transfers.failAll(cause);
  }

  // What arrives.

  /** A frame has arrived in a slot of the ring. */
  void frame(long at, int opcode) {
    returned(Frame.returned(at), credit(at));
    switch (opcode) {
      case Frame.EAGER -> {
        payload = at + Frame.BYTES;
        eager(at);
      }
      case Frame.ANNOUNCE -> announced(at, Frame.message(at));
      case Frame.GRANT -> granted(at);
      case Frame.WITHDRAWN -> grantedReceives.withdrawn(Frame.ticket(at));
      default -> {
        // CREDIT: the header holds it.
      }
    }
  }

  /**
   * Takes both credits of a frame: receives posted again, and eager cost matched.
   *
   * @throws ProtocolException if that is more than was used or less than the last count
   */
  private void returned(int newlyReturned, long matched) {
    returned(matched);
    if (newlyReturned - returned < 0 || newlyReturned - (int) consumed > 0) {
      throw new ProtocolException(
          "a credit of %d receives, but the last was %d and %d were used"
              .formatted(newlyReturned, returned, consumed));
    }
    returned = newlyReturned;
  }

  /**
   * The peer asks for a part of an announced message.
   *
   * @throws ProtocolException if there is no such message or part
   */
  private void granted(long frame) {
    int number = Frame.message(frame);
    long offset = fingerprintHigh(frame);
    long length = length(frame);
    Outgoing out = numbered.find(number);
    boolean empty = out != null && length == 0 && out.length > 0;
    if (out == null || empty || offset != out.granted || length > out.length - offset) {
      throw new ProtocolException(
          "a grant for %d bytes at %d of message %d, which has no such part"
              .formatted(length, offset, number));
    }
    if (out.request == null) {
      forget(out);
      sends.add(Frame.WITHDRAWN, 0, 0).ticket = Frame.ticket(frame);
      return;
    }
    out.granted += Math.max(1, length); // an empty message is granted once
    Transfer transfer = transfers.add();
    transfer.message = out;
    transfer.request = out.request;
    transfer.ticket = Frame.ticket(frame);
    transfer.address = out.request.address() + offset;
    transfer.length = length;
    transfer.remoteAddress = fingerprintLow(frame);
    transfer.remoteKey = Frame.key(frame);
    transfer.region = mesh.registrations().find(out.request);
  }

  private void forget(Outgoing out) {
    numbered.remove(out);
    sends.announced().remove(out);
    sends.recycle(out);
  }

  /** The peer withdrew what this receive had asked for. */
  void postAgain(EngineRequest request) {
    withdrawn(request);
  }

  // What goes out.

  /** Asks for a part of an announced message. */
  void grant(int number, int ticket, long offset, long length, long address, int key) {
    Outgoing frame = sends.add(Frame.GRANT, 0, length);
    frame.fingerprintHigh = offset;
    frame.fingerprintLow = address;
    frame.number = number;
    frame.ticket = ticket;
    frame.key = key;
    mesh.touch(link);
  }

  /** Reads or writes the peer's memory. */
  void oneSided(EngineRequest request, boolean reads, long address, int key, MemoryRegion region) {
    Transfer transfer = transfers.add();
    transfer.request = request;
    transfer.reads = reads;
    transfer.address = request.address();
    transfer.length = request.length();
    transfer.remoteAddress = address;
    transfer.remoteKey = key;
    transfer.region = region;
    mesh.touch(link);
  }

  /** Hands over as much as there is room and credit for. */
  void handOver() {
    SendWorks works = link.works();
    while (sends.waiting().first() != null && works.hasRoom() && credits() > RESERVED_CREDITS) {
      post(sends.waiting().poll());
    }
    while (transfers.first() != null && move(transfers.first())) {
      if (transfers.first().ended) {
        transfers.poll();
      }
    }
    boolean owes = link.receives().owesCredit() || isReportDue();
    if (owes && works.hasRoom() && credits() > 0) {
      post(sends.make(Frame.CREDIT, 0, 0));
    }
    works.ring();
  }

  private int credits() {
    return link.peerDepth() - ((int) consumed - returned);
  }

  /** Receives of the peer used up so far. */
  long consumed() {
    return consumed;
  }

  private void post(Outgoing frame) {
    boolean announces = frame.opcode == Frame.ANNOUNCE;
    if (announces) {
      numbered.add(frame);
      sends.announced().add(frame);
    }
    SendWorks works = link.works();
    long at = works.slot();
    int receives = link.receives().creditToTell();
    Frame.write(at, receives, frame, reportCredit());
    int bytes = Frame.BYTES;
    if (frame.opcode == Frame.EAGER && frame.length > 0) {
      Memory.copy(frame.request.address(), at + Frame.BYTES, frame.length);
      bytes += (int) frame.length;
    }
    consumed++;
    works.frame(bytes);
    mesh.countSent(bytes);
    EngineRequest request = frame.opcode == Frame.EAGER ? frame.request : null;
    if (!announces) {
      sends.recycle(frame);
    }
    if (request != null) {
      request.complete(request.length(), pair.peer());
    }
  }

  /** Hands the next piece of a transfer to the device; false if there is no room for it now. */
  private boolean move(Transfer transfer) {
    SendWorks works = link.works();
    long left = transfer.length - transfer.moved;
    boolean copied = transfer.region == null && left > 0;
    long most = copied ? BouncePool.SEGMENT_BYTES : mesh.adapter().maxMessageBytes();
    int piece = (int) Math.min(left, most);
    boolean last = piece == left;
    boolean tells = last && transfer.message != null;
    if (!works.hasRoom() || (tells && credits() <= RESERVED_CREDITS)) {
      return false;
    }
    long from = transfer.address + transfer.moved;
    long segment = copied ? mesh.resources().takeToSend(link) : 0;
    if (copied && segment == 0) {
      return false;
    }
    if (copied) {
      Memory.copy(from, segment, piece);
    }
    works.remote(
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
    mesh.countMoved(piece, transfer.reads, copied);
    return true;
  }

  /** The device is done with a transfer. */
  void moved(Transfer transfer) {
    Outgoing out = transfer.message;
    EngineRequest request = transfer.request;
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
      forget(out);
    }
  }
}
