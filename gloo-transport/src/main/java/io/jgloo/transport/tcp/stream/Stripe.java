package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Checksum;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongPredicate;

/**
 * One further connection of a pair: parts of large messages in the order of their headers on the
 * first connection, and nothing between them.
 *
 * <p>What arrives before its header is left in the socket.
 *
 * <p>A part with a checksum stays in its queue until that has been written, or read and compared.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the carry, less than an element.
 */
public final class Stripe {

  private final Stream stream;
  private final Link link;
  private final Queue<Part> outgoing = new ArrayDeque<>();
  private final Queue<Part> incoming = new ArrayDeque<>();
  private final Queue<Part> free = new ArrayDeque<>();
  private final Checksum outgoingSum; // null if there are none, as the next
  private final Checksum incomingSum;
  private long seals; // two checksums: one that is being written, one that is being read
  private int sealed;
  private int opened;
  private long carry;
  private int carried;

  /** A range of a request's memory. */
  private static final class Part {
    private EngineRequest request;
    private long start;
    private long done;
    private long end;
  }

  Stripe(Stream stream, Link link, boolean checks) {
    this.stream = stream;
    this.link = link;
    outgoingSum = checks ? new Checksum() : null;
    incomingSum = checks ? new Checksum() : null;
    seals = checks ? Memory.allocate(2 * Checksum.BYTES, Memory.CACHE_LINE) : 0;
  }

  Link link() {
    return link;
  }

  void send(EngineRequest request, long from, long to) {
    outgoing.add(part(request, from, to));
  }

  void expect(EngineRequest request, long from, long to) {
    incoming.add(part(request, from, to));
  }

  private Part part(EngineRequest request, long from, long to) {
    Part part = free.isEmpty() ? new Part() : free.remove();
    part.request = request;
    part.start = from;
    part.done = from;
    part.end = to;
    return part;
  }

  boolean sends() {
    return !outgoing.isEmpty();
  }

  boolean receives() {
    return !incoming.isEmpty();
  }

  /** Whether a part of a message on one of these slots is not done. */
  boolean awaits(LongPredicate slots) {
    return outgoing.stream().anyMatch(part -> slots.test(part.request.slot()))
        || incoming.stream().anyMatch(part -> slots.test(part.request.slot()));
  }

  /** Writes until everything is written or the socket is full, or broken. */
  void flush() {
    while (link.writable && !outgoing.isEmpty()) {
      Part part = outgoing.peek();
      boolean seal = part.done == part.end;
      long from = seal ? seals + sealed : part.request.address() + part.done;
      long left = seal ? Checksum.BYTES - sealed : part.end - part.done;
      long wanted = Math.min(left, Link.MAX_CALL_BYTES);
      long written;
      try {
        written = link.write(from, (int) wanted);
      } catch (IOException e) {
        stream.cannotWrite(e);
        return;
      }
      if (written < wanted) {
        link.writable = false;
      }
      stream.mesh().traffic().written(written);
      if (!seal) {
        send(part, from, written);
      } else if ((sealed += (int) written) == Checksum.BYTES) {
        sealed = 0;
        finish(outgoing);
      }
    }
  }

  private void send(Part part, long from, long count) {
    advance(part, from, count, outgoingSum);
    if (part.done == part.end && outgoingSum == null) {
      finish(outgoing);
    } else if (part.done == part.end) {
      Memory.putInt(seals, outgoingSum.take());
    }
  }

  /** Reads and delivers until the socket is empty, or holds what was not announced yet. */
  void receive() throws IOException {
    while (link.readable && !incoming.isEmpty()) {
      Part part = incoming.peek();
      if (part.done == part.end) {
        check(part);
      } else if (part.request.reduction() == null) {
        long at = part.request.address() + part.done;
        take(part, at, read(at, (int) Math.min(part.end - part.done, Link.MAX_CALL_BYTES)));
      } else if (stream.mesh().reductions().mayRun()) {
        reduce(part);
      } else {
        link.lookAgain();
        return;
      }
    }
  }

  private void reduce(Part part) throws IOException {
    long scratch = stream.mesh().scratch();
    int offset = carried;
    if (offset > 0) {
      Memory.copy(carry, scratch, offset);
    }
    int atOnce = Math.min(StreamMesh.SCRATCH_BYTES, part.request.reduction().bytesAtATime());
    int room = atOnce - offset;
    int count = read(scratch + offset, (int) Math.min(part.end - part.done - offset, room));
    if (count > 0) {
      int whole =
          stream.mesh().reductions().store(part.request, part.done, scratch, offset + count);
      carryOver(scratch + whole, offset + count - whole);
      take(part, scratch, whole);
    }
  }

  private void carryOver(long from, int count) {
    if (count > 0 && carry == 0) {
      carry = Memory.allocate(EngineRequest.MAX_GRANULE, Memory.CACHE_LINE);
    }
    if (count > 0) {
      Memory.copy(from, carry, count);
    }
    carried = count;
  }

  private int read(long address, int wanted) throws IOException {
    int count = link.read(address, wanted);
    stream.mesh().traffic().read(count);
    link.found(count, wanted);
    if (count < 0) {
      throw stream.ended(true);
    }
    if (count > 0) {
      stream.inbox().heard();
    }
    return Math.max(count, 0);
  }

  private void take(Part part, long from, long count) {
    advance(part, from, count, incomingSum);
    if (part.done == part.end && incomingSum == null) {
      finish(incoming);
    }
  }

  private void check(Part part) throws IOException {
    long seal = seals + Checksum.BYTES;
    opened += read(seal + opened, Checksum.BYTES - opened);
    if (opened == Checksum.BYTES) {
      opened = 0;
      incomingSum.check(part.end - part.start, seal);
      finish(incoming);
    }
  }

  private static void advance(Part part, long from, long count, Checksum sum) {
    if (sum != null) {
      sum.update(from, count);
    }
    part.done += count;
  }

  private void finish(Queue<Part> parts) {
    Part part = parts.remove();
    EngineRequest request = part.request;
    part.request = null;
    free.add(part);
    request.completePart(stream.pair().peer());
  }

  /** Fails what is under way; the user's memory is not touched any more. */
  void failAll(JGlooException cause) {
    failAll(outgoing, cause);
    failAll(incoming, cause);
  }

  void failSends(JGlooException cause) {
    failAll(outgoing, cause);
  }

  private static void failAll(Queue<Part> parts, JGlooException cause) {
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      part.request.failOrWait(cause);
    }
  }

  void close() {
    if (carry != 0) {
      Memory.free(carry);
      carry = 0;
    }
    if (seals != 0) {
      Memory.free(seals);
      seals = 0;
    }
  }
}
