package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.Link;
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
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the carry, less than an element.
 */
public final class Stripe {

  private final Stream stream;
  private final Link link;
  private final Queue<Part> outgoing = new ArrayDeque<>();
  private final Queue<Part> incoming = new ArrayDeque<>();
  private final Queue<Part> free = new ArrayDeque<>();
  private long carry;
  private int carried;

  /** A range of a request's memory. */
  private static final class Part {
    private EngineRequest request;
    private long done;
    private long end;
  }

  Stripe(Stream stream, Link link) {
    this.stream = stream;
    this.link = link;
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
      long from = part.request.address() + part.done;
      long wanted = Math.min(part.end - part.done, Link.MAX_CALL_BYTES);
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
      advance(outgoing, written);
    }
  }

  /** Reads and delivers until the socket is empty, or holds what was not announced yet. */
  void receive() throws IOException {
    while (link.readable && !incoming.isEmpty()) {
      Part part = incoming.peek();
      if (part.request.reduction() == null) {
        long at = part.request.address() + part.done;
        advance(incoming, read(at, (int) Math.min(part.end - part.done, Link.MAX_CALL_BYTES)));
      } else if (stream.mesh().mayReduce()) {
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
          stream.mesh().store(part.request, part.done, scratch, offset + count);
      carryOver(scratch + whole, offset + count - whole);
      advance(incoming, whole);
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

  private void advance(Queue<Part> parts, long count) {
    Part part = parts.element();
    part.done += count;
    if (part.done == part.end) {
      finish(parts);
    }
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
  }
}
