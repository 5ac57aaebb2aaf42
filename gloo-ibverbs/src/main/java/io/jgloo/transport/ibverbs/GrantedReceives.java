package io.jgloo.transport.ibverbs;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Announced messages of a pair that receives have granted: whole, straight into registered memory,
 * or part by part through pinned segments.
 *
 * <p>The first part is granted alone, as the message may have been withdrawn; then two at a time,
 * so that one is written while the other is stored or reduced.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class GrantedReceives {

  /** A receive that has granted an announced message; guarded by the mesh's lock. */
  static final class GrantedReceive {
    final GrantedReceives owner;

    EngineRequest request;

    /** The sender's number of the message. */
    int message;

    long total;
    long asked;
    long arrived;

    /** Granted parts that have not arrived. */
    int parts;

    /** Waiting for a segment. */
    boolean waits;

    GrantedReceive(GrantedReceives owner) {
      this.owner = owner;
    }
  }

  private static final int PARTS_AT_A_TIME = 2;

  /** A part under way, by its ticket. */
  private static final class Part {
    GrantedReceive receive;
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
  private final ArrayDeque<GrantedReceive> busy = new ArrayDeque<>();
  private final ArrayDeque<GrantedReceive> freeReceives = new ArrayDeque<>();

  GrantedReceives(IbverbsMesh mesh, IbverbsRoute route) {
    this.mesh = mesh;
    this.route = route;
  }

  /** Grants an announced message. */
  void begin(EngineRequest request, int message, long total) {
    GrantedReceive receive =
        freeReceives.isEmpty() ? new GrantedReceive(this) : freeReceives.poll();
    receive.request = request;
    receive.message = message;
    receive.total = total;
    receive.asked = 0;
    receive.arrived = 0;
    receive.parts = 0;
    receive.waits = false;
    busy.addFirst(receive);
    MemoryRegion region =
        total == 0 || request.reduction() != null ? null : mesh.registrations().find(request);
    if (region != null) {
      ask(receive, total, request.address(), region.remoteKey(), 0);
    } else if (total == 0) {
      ask(receive, 0, 0, 0, 0);
    } else {
      askForMore(receive);
    }
  }

  /** Grants parts of a message as long as there are segments for them. */
  void askForMore(GrantedReceive receive) {
    int allowed = receive.arrived == 0 ? 1 : PARTS_AT_A_TIME;
    while (receive.asked < receive.total && receive.parts < allowed) {
      long segment = mesh.resources().takeToReceive(receive);
      if (segment == 0) {
        return;
      }
      int granule = receive.request.granule();
      int most = BouncePool.SEGMENT_BYTES - BouncePool.SEGMENT_BYTES % granule;
      long length = Math.min(receive.total - receive.asked, most);
      ask(receive, length, segment, mesh.resources().receiveKey(), segment);
    }
  }

  private void ask(GrantedReceive receive, long length, long address, int key, long segment) {
    int ticket = ticket();
    Part part = parts[ticket];
    part.receive = receive;
    part.offset = receive.asked;
    part.length = length;
    part.segment = segment;
    receive.asked += length;
    receive.parts++;
    route.grant(receive.message, ticket, part.offset, length, address, key);
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
    GrantedReceive receive = part.receive;
    if (part.segment != 0) {
      // While it is stored the part stays here, so that it is not lost if a reduction throws.
      route.store(receive.request, part.offset, part.segment, part.length);
    }
    receive.arrived += part.length;
    release(part, ticket); // the ticket may be given to another at once
    if (receive.arrived == receive.total) {
      EngineRequest request = receive.request;
      end(receive);
      mesh.countReceived(receive.total);
      request.complete(receive.total, route.pair().peer());
    } else {
      askForMore(receive);
    }
  }

  /** The peer withdrew the message instead. */
  void withdrawn(int ticket) {
    Part part = part(ticket);
    GrantedReceive receive = part.receive;
    if (receive.arrived > 0) {
      throw new ProtocolException("the withdrawal of a message that has begun");
    }
    release(part, ticket);
    EngineRequest request = receive.request;
    end(receive);
    route.postAgain(request);
  }

  private Part part(int ticket) {
    if (ticket < 0 || ticket >= used || parts[ticket].receive == null) {
      throw new ProtocolException("bytes for the unknown ticket " + ticket);
    }
    return parts[ticket];
  }

  private void release(Part part, int ticket) {
    part.receive.parts--;
    part.receive = null;
    free[freeCount++] = ticket;
    if (part.segment != 0) {
      long segment = part.segment;
      part.segment = 0;
      mesh.resources().giveBackToReceive(segment);
    }
  }

  private void end(GrantedReceive receive) {
    busy.remove(receive);
    receive.request = null;
    freeReceives.addFirst(receive);
  }

  boolean isBusy() {
    return !busy.isEmpty();
  }

  /** The queue pair is destroyed, so nothing writes any more. */
  void failAll(JGlooException cause) {
    busy.forEach(receive -> receive.request.fail(cause));
    busy.clear();
    for (int i = 0; i < used; i++) {
      parts[i].receive = null;
    }
  }
}
