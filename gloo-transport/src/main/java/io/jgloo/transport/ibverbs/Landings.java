package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.EngineRequest;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Announced messages of a pair that receives have asked for: whole, straight into registered
 * memory, or part by part through pinned segments.
 *
 * <p>The first part is asked for alone, as the message may have been withdrawn; then two at a time,
 * so that one is written while the other is stored or reduced.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class Landings {

  private static final int PARTS_AT_A_TIME = 2;

  /** A part under way, by its ticket. */
  private static final class Part {
    Landing landing;
    long offset;
    long length;
    long segment;
  }

  private final IbverbsMesh mesh;
  private final IbverbsRoute route;
  private Part[] parts = new Part[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;
  private final ArrayDeque<Landing> busy = new ArrayDeque<>();
  private final ArrayDeque<Landing> spare = new ArrayDeque<>();

  Landings(IbverbsMesh mesh, IbverbsRoute route) {
    this.mesh = mesh;
    this.route = route;
  }

  /** Asks for an announced message. */
  void begin(EngineRequest request, int message, long total) {
    Landing landing = spare.isEmpty() ? new Landing(this) : spare.poll();
    landing.request = request;
    landing.message = message;
    landing.total = total;
    landing.asked = 0;
    landing.arrived = 0;
    landing.parts = 0;
    landing.waits = false;
    busy.addFirst(landing);
    MemoryRegion region =
        total == 0 || request.reduction() != null ? null : mesh.registrations().find(request);
    if (region != null) {
      ask(landing, total, request.address(), region.remoteKey(), 0);
    } else if (total == 0) {
      ask(landing, 0, 0, 0, 0);
    } else {
      askForMore(landing);
    }
  }

  /** Asks for parts of a message as long as there are segments for them. */
  void askForMore(Landing landing) {
    int allowed = landing.arrived == 0 ? 1 : PARTS_AT_A_TIME;
    while (landing.asked < landing.total && landing.parts < allowed) {
      long segment = mesh.resources().takeToReceive(landing);
      if (segment == 0) {
        return;
      }
      int granule = landing.request.granule();
      int most = BouncePool.SEGMENT_BYTES - BouncePool.SEGMENT_BYTES % granule;
      long length = Math.min(landing.total - landing.asked, most);
      ask(landing, length, segment, mesh.resources().receiveKey(), segment);
    }
  }

  private void ask(Landing landing, long length, long address, int key, long segment) {
    int ticket = ticket();
    Part part = parts[ticket];
    part.landing = landing;
    part.offset = landing.asked;
    part.length = length;
    part.segment = segment;
    landing.asked += length;
    landing.parts++;
    route.grant(landing.message, ticket, part.offset, length, address, key);
  }

  private int ticket() {
    if (freeCount > 0) {
      return free[--freeCount];
    }
    if (used == parts.length) {
      parts = Arrays.copyOf(parts, 2 * used);
      free = Arrays.copyOf(free, 2 * used);
    }
    parts[used] = new Part();
    return used++;
  }

  /** The peer has written a part. */
  void arrived(int ticket) {
    Part part = part(ticket);
    Landing landing = part.landing;
    if (part.segment != 0) {
      // While it is stored the part stays here, so that a reduction that throws leaves it to us.
      route.store(landing.request, part.offset, part.segment, part.length);
    }
    landing.arrived += part.length;
    release(part, ticket); // the ticket may be given to another at once
    if (landing.arrived == landing.total) {
      EngineRequest request = landing.request;
      end(landing);
      mesh.traffic().received(landing.total);
      request.complete(landing.total, route.pair().peer());
    } else {
      askForMore(landing);
    }
  }

  /** The peer withdrew the message instead. */
  void withdrawn(int ticket) {
    Part part = part(ticket);
    Landing landing = part.landing;
    if (landing.arrived > 0) {
      throw new ProtocolException("a message was withdrawn in the middle");
    }
    release(part, ticket);
    EngineRequest request = landing.request;
    end(landing);
    route.postAgain(request);
  }

  private Part part(int ticket) {
    if (ticket < 0 || ticket >= used || parts[ticket].landing == null) {
      throw new ProtocolException("bytes for the ticket " + ticket + ", which was not given");
    }
    return parts[ticket];
  }

  private void release(Part part, int ticket) {
    part.landing.parts--;
    part.landing = null;
    free[freeCount++] = ticket;
    if (part.segment != 0) {
      long segment = part.segment;
      part.segment = 0;
      mesh.resources().giveBackToReceive(segment);
    }
  }

  private void end(Landing landing) {
    busy.remove(landing);
    landing.request = null;
    spare.addFirst(landing);
  }

  boolean isBusy() {
    return !busy.isEmpty();
  }

  /** The queue pair is gone, so nothing writes any more. */
  void failAll(GlooException cause) {
    busy.forEach(landing -> landing.request.fail(cause));
    busy.clear();
    for (int i = 0; i < used; i++) {
      parts[i].landing = null;
    }
  }
}
