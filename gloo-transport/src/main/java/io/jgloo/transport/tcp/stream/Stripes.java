package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.LongPredicate;

/**
 * The further connections of a pair, and how large messages are cut over all of them.
 *
 * <p>Headers and eager messages keep to the first connection. A granted message of at least {@link
 * #MIN_BYTES} is cut into as many parts as there are connections: part k goes on connection k. Both
 * sides know where to cut, since the grant holds the length of an element and no element is cut.
 *
 * <p>On a further connection there are parts only, in the order of their headers on the first one.
 * What arrives before its header is left in the socket.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the carries, each less than an element.
 */
public final class Stripes {

  /** Shorter messages stay in one piece: their parts would not fill a segment or two each. */
  public static final long MIN_BYTES = 64 << 10;

  /** Most connections a pair may have. */
  public static final int MAX_CONNECTIONS = 16;

  private final Stream stream;
  private final Stripe[] stripes;

  Stripes(Stream stream, List<Link> links) {
    this.stream = stream;
    stripes = links.stream().map(Stripe::new).toArray(Stripe[]::new);
  }

  List<Link> links() {
    return List.of(stripes).stream().map(stripe -> stripe.link).toList();
  }

  /** How many parts a granted message has, the one on the first connection included. */
  private int partsOf(long length, long granule) {
    return length < MIN_BYTES ? 1 : (int) Math.min(1 + stripes.length, length / granule);
  }

  /**
   * Where a part ends, in bytes from the message's beginning.
   *
   * @param granule bytes of what must not be cut
   */
  public static long end(long length, long granule, int part, int parts) {
    long elements = length / granule;
    boolean last = part == parts - 1;
    return last ? length : elements / parts * granule * (part + 1);
  }

  /** Queues all parts of a message but the first; returns where that ends. */
  long send(EngineRequest request, long length, long granule) {
    int parts = partsOf(length, granule);
    request.begin(length, parts);
    for (int part = 1; part < parts; part++) {
      stripes[part - 1].send(
          request, end(length, granule, part - 1, parts), end(length, granule, part, parts));
    }
    return end(length, granule, 0, parts);
  }

  /** Awaits all parts of a message but the first; returns where that ends. */
  long expect(EngineRequest request, long length) {
    long granule = request.granule();
    int parts = partsOf(length, granule);
    request.begin(length, parts);
    for (int part = 1; part < parts; part++) {
      stripes[part - 1].expect(
          request, end(length, granule, part - 1, parts), end(length, granule, part, parts));
    }
    return end(length, granule, 0, parts);
  }

  boolean sends() {
    for (Stripe stripe : stripes) {
      if (stripe.sends()) {
        return true;
      }
    }
    return false;
  }

  boolean receives() {
    for (Stripe stripe : stripes) {
      if (stripe.receives()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a part of a message on one of these slots is not done. */
  boolean awaits(LongPredicate slots) {
    for (Stripe stripe : stripes) {
      if (stripe.awaits(slots)) {
        return true;
      }
    }
    return false;
  }

  void flush() {
    for (Stripe stripe : stripes) {
      stripe.flush();
    }
  }

  void receive() throws IOException {
    for (Stripe stripe : stripes) {
      stripe.receive();
    }
  }

  /** Marks the sockets as readable on which a part is awaited, whatever the poller has reported. */
  void lookAgain() {
    for (Stripe stripe : stripes) {
      stripe.link.readable |= stripe.receives();
    }
  }

  /** Fails the sends that are under way; the user's memory is not touched any more. */
  void failSends(JGlooException cause) {
    for (Stripe stripe : stripes) {
      failAll(stripe.outgoing, cause);
    }
  }

  /** Fails the receives that are under way; the user's memory is not touched any more. */
  void failReceives(JGlooException cause) {
    for (Stripe stripe : stripes) {
      failAll(stripe.incoming, cause);
    }
  }

  private static void failAll(Queue<Part> parts, JGlooException cause) {
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      part.request.failOrWait(cause);
    }
  }

  void close() {
    for (Stripe stripe : stripes) {
      stripe.close();
    }
  }

  /** A range of a request's memory. */
  private static final class Part {
    private EngineRequest request;
    private long done;
    private long end;
  }

  /** One further connection. */
  private final class Stripe {
    private final Link link;
    private final Queue<Part> outgoing = new ArrayDeque<>();
    private final Queue<Part> incoming = new ArrayDeque<>();
    private final Queue<Part> free = new ArrayDeque<>();
    private long carry;
    private int carried;

    Stripe(Link link) {
      this.link = link;
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
        stream.mesh().countWritten(written, false);
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
        int whole = stream.mesh().store(part.request, part.done, scratch, offset + count);
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
      stream.mesh().countRead(count, false);
      link.found(count, wanted);
      if (count < 0) {
        throw stream.ended(true);
      }
      if (count > 0) {
        stream.heard();
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

    void close() {
      if (carry != 0) {
        Memory.free(carry);
        carry = 0;
      }
    }
  }
}
