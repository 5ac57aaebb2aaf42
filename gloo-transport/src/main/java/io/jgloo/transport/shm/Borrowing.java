package io.jgloo.transport.shm;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.wire.Frame;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongPredicate;

/**
 * The messages of a pair that lie in the peer's memory: they are copied or reduced from there into
 * their receives, in the order in which they were matched.
 *
 * <p>What is stored into this rank's own extents is read by peers, so it goes past the caches where
 * that is faster ({@link SegmentCopy}).
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the mappings of the peer's extents.
 */
public final class Borrowing {

  /** Stored at a time; a reduction may be left to a later turn in between. */
  private static final int PIECE_BYTES = 1 << 20;

  private static final long NO_OFFER = -1;

  /** An extent of the peer. */
  private static final class Source {
    final long number;
    final AttachedExtent memory;
    int uses;
    boolean retired;

    Source(long number, AttachedExtent memory) {
      this.number = number;
      this.memory = memory;
    }
  }

  /** A message; reused. */
  private static final class Loan {
    final int handle;
    Source source;
    long address;
    long slot;
    long length;
    long read;
    boolean isShared; // its target, in an extent of this rank
    EngineRequest request; // null if the message was copied and its end is to be told in its turn

    Loan(int handle) {
      this.handle = handle;
    }
  }

  private final SharingPair stream;
  private final SharingMesh mesh;
  private final MemoryLink link;
  private final MemoryChannel channel;
  private final List<Source> sources = new ArrayList<>();
  private final List<Loan> loans = new ArrayList<>();
  private final ArrayDeque<Loan> free = new ArrayDeque<>();
  private final ArrayDeque<Loan> matched = new ArrayDeque<>();
  private final SegmentCopy ownExtents = new SegmentCopy();
  private long offered = NO_OFFER;
  private boolean reading;
  private boolean revoked;

  public Borrowing(SharingPair stream, SharingMesh mesh, MemoryLink link) {
    this.mesh = mesh;
    this.stream = stream;
    this.link = link;
    channel = link.channel();
  }

  // Extents.

  /** The header of an offer has arrived; its bytes follow. */
  public void expectOffer(long number, long length) {
    if (length < 1 || length > Extent.MAX_OFFER_BYTES) {
      throw new ProtocolException("an offer of " + length + " bytes");
    }
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new ProtocolException("an offer of extent " + number);
    }
    if (find(number) != null || sources.size() >= MeshHeap.MAX_EXTENTS) {
      throw new ProtocolException(
          ("an offer of extent " + number + " beside " + sources.size())
              + (" others; at most " + MeshHeap.MAX_EXTENTS + " are allowed, each once"));
    }
    offered = number;
  }

  /** Whether the bytes of an offer are awaited. */
  public boolean awaitsOffer() {
    return offered != NO_OFFER;
  }

  public void takeOffer(byte[] offer) {
    long number = offered;
    offered = NO_OFFER;
    boolean mapped = false;
    try {
      UUID incarnation = mesh.incarnationOf(stream.pair().peer());
      sources.add(new Source(number, AttachedExtent.attach(offer, incarnation)));
      mapped = true;
    } catch (IOException e) {
      mesh.localMemory().cannotAttach(stream.pair().peer(), e);
    }
    stream.control(Frame.ATTACHED, number, mapped ? 1 : 0);
  }

  /** The peer sends nothing more from an extent. */
  public void retired(long number) {
    Source source = find(number);
    if (source != null) { // else it could not be mapped
      source.retired = true;
      release(source);
    }
  }

  private void release(Source source) {
    if (source.retired && source.uses == 0) {
      sources.remove(source);
      source.memory.close();
    }
  }

  private Source find(long number) {
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i).number == number) {
        return sources.get(i);
      }
    }
    return null;
  }

  // Messages.

  /**
   * A message has arrived.
   *
   * @return what to {@link #read} it by, not 0
   * @throws ProtocolException if it is not in an extent of the peer
   */
  public int add(long number, long offset, long length) {
    Source source = find(number);
    if (source == null || source.retired) {
      throw new ProtocolException("a message in extent " + number + ", which is not mapped");
    }
    long address = source.memory.address(offset, length);
    Loan loan = free.poll();
    if (loan == null) {
      loan = new Loan(loans.size() + 1);
      loans.add(loan);
    }
    loan.source = source;
    loan.address = address;
    loan.length = length;
    loan.read = 0;
    source.uses++;
    return loan.handle;
  }

  /** A message has found its receive. */
  public void read(EngineRequest request, int handle) {
    Loan loan = loans.get(handle - 1);
    loan.request = request;
    loan.slot = request.slot();
    loan.isShared = mesh.heap().find(request.address(), loan.length) != null;
    request.begin(loan.length, 1);
    matched.add(loan);
    proceed();
  }

  /** A message that has no receive and for which there is credit: it is copied. */
  public void hold(UnexpectedMessage message, int handle) {
    Loan loan = loans.get(handle - 1);
    Memory.copy(loan.address, message.memory(), loan.length);
    if (channel.isRevoked()) {
      revoked = true;
      stream.matching().remove(message); // a receive for it ends with the pair
      mesh.unexpected().giveBack(message);
      return;
    }
    stream.readInPlace((int) loan.length);
    loan.slot = message.slot();
    loan.read = loan.length;
    message.complete();
    if (matched.isEmpty()) {
      end(loan);
    } else {
      matched.add(loan); // the peer takes the end of a message for that of the slot's oldest
    }
  }

  /** Reads what is matched, until a reduction must wait for a later turn. */
  public void proceed() {
    if (reading || revoked) {
      return; // called by a reduction; or the reason why the peer has failed is on its way
    }
    reading = true;
    try {
      for (Loan loan = matched.peek();
          loan != null && !revoked && stream.link() != null;
          loan = matched.peek()) {
        if (!store(loan)) {
          stream.serveAgainLater();
          return;
        }
        finish(loan);
      }
    } finally {
      reading = false;
    }
  }

  private boolean store(Loan loan) {
    EngineRequest request = loan.request;
    while (loan.read < loan.length) {
      if (request.reduction() != null && !mesh.mayReduce()) {
        return false;
      }
      int count = (int) Math.min(PIECE_BYTES, loan.length - loan.read);
      long from = loan.address + loan.read;
      int stored = count;
      if (!loan.isShared) {
        stored = mesh.store(request, loan.read, from, count);
      } else if (request.reduction() == null) {
        ownExtents.copy(from, request.address() + loan.read, count);
      } else {
        stored = mesh.reduce(request, loan.read, from, count, ownExtents.streams());
      }
      if (stored == 0) {
        throw new ProtocolException("a message that ends in the middle of an element");
      }
      loan.read += stored;
      stream.readInPlace(stored);
    }
    return true;
  }

  private void finish(Loan loan) {
    if (channel.isRevoked()) {
      revoked = true;
      return; // the receive ends with the pair
    }
    matched.poll();
    EngineRequest request = loan.request;
    if (request != null) {
      request.completePart(stream.pair().peer());
    }
    end(loan);
  }

  private void end(Loan loan) {
    long slot = loan.slot;
    long length = loan.length;
    giveBack(loan);
    stream.control(Frame.DONE, slot, length);
  }

  private void giveBack(Loan loan) {
    Source source = loan.source;
    loan.source = null;
    loan.request = null;
    free.push(loan);
    source.uses--;
    release(source);
  }

  /** Whether the memory of the pair, or an extent of the peer, is a file with a name. */
  public boolean readsFiles() {
    return link.segment().isNamed() || sources.stream().anyMatch(source -> source.memory.isNamed());
  }

  public boolean isReading() {
    return !matched.isEmpty();
  }

  public boolean awaits(LongPredicate slots) {
    return matched.stream().anyMatch(loan -> loan.request != null && slots.test(loan.slot));
  }

  /** Fails every receive; the user's memory is not touched any more. */
  public void failAll(JGlooException cause) {
    revoked = true;
    for (Loan loan = matched.poll(); loan != null; loan = matched.poll()) {
      if (loan.request != null) {
        loan.request.failOrWait(cause);
      }
    }
  }

  /** Unmaps the peer's extents. */
  public void close() {
    sources.forEach(source -> source.memory.close());
    sources.clear();
  }
}
