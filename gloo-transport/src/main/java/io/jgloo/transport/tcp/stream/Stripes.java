package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The further connections of a pair, and how large messages are cut over all of them.
 *
 * <p>Headers and eager messages keep to the first connection. A granted message of at least {@link
 * #MIN_BYTES} is cut into as many parts as there are connections: part k goes on connection k. Both
 * sides know where to cut, since the grant holds the length of an element and no element is cut.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class Stripes {

  /** Shorter messages stay in one piece: their parts would not fill a segment or two each. */
  public static final long MIN_BYTES = 64 << 10;

  /** Most connections a pair may have. */
  public static final int MAX_CONNECTIONS = 16;

  private final Stripe[] stripes;

  Stripes(Stream stream, List<Link> links) {
    stripes = links.stream().map(link -> new Stripe(stream, link)).toArray(Stripe[]::new);
  }

  List<Link> links() {
    return List.of(stripes).stream().map(Stripe::link).toList();
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
      stripe.link().readable |= stripe.receives();
    }
  }

  void failAll(JGlooException cause) {
    for (Stripe stripe : stripes) {
      stripe.failAll(cause);
    }
  }

  void failSends(JGlooException cause) {
    for (Stripe stripe : stripes) {
      stripe.failSends(cause);
    }
  }

  void close() {
    for (Stripe stripe : stripes) {
      stripe.close();
    }
  }
}
