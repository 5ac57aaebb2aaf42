package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;

/** A real mesh of two, rank 0 of it, whose rank 1 is a {@link RoguePeer}. */
final class Victim implements AutoCloseable {

  static final String GROUP = "victim";

  private final Rank rank;
  private final Mesh mesh;
  private final CompletionQueue queue;
  private final Address rogueAddress;
  private final UUID rogueIncarnation = UUID.randomUUID();

  Victim(Rank rank) {
    this.rank = rank;
    mesh = rank.device().newMesh(new Membership(GROUP, 0, 0, 2));
    queue = mesh.newQueue();
    rogueAddress =
        RoguePeer.address(
            rogueIncarnation, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  }

  /** A rogue that has said its hello well and is rank 1 now. */
  static RoguePeer invade(Victim victim) throws IOException {
    RoguePeer rogue = RoguePeer.dial(victim.mesh.address()).say(victim.hello().bytes());
    assertArrayEquals(
        WireBytes.welcome(WireBytes.ACCEPTED, 2, 4 << 20, 0), rogue.hear(WireBytes.WELCOME_BYTES));
    victim.connect();
    return rogue;
  }

  /** The hello of its rank 1. */
  WireBytes.RawHello hello() {
    UUID own = Endpoint.decode(mesh.address()).incarnation();
    WireBytes.RawHello hello = new WireBytes.RawHello(own, GROUP);
    hello.source = rogueIncarnation;
    return hello;
  }

  void connect() {
    mesh.connect(List.of(mesh.address(), rogueAddress), Ranks.PATIENCE);
  }

  Mesh mesh() {
    return mesh;
  }

  Request request(long slot, Area area) {
    return queue
        .newRequest()
        .message(
            slot, mesh.newBuffer().wrap(area.address(), area.length(), area), 0, area.length());
  }

  Request recv(long slot, Area area) {
    return recv(request(slot, area));
  }

  Request recv(Request request) {
    mesh.pair(1).recv(request);
    return request;
  }

  Request send(long slot, Area area) {
    Request request = request(slot, area);
    mesh.pair(1).send(request);
    return request;
  }

  /** Waits until the oldest request that ends does, and checks that it is this one. */
  Request end(Request request) {
    while (!request.isDone()) {
      if (!queue.await(rank.deadline(Ranks.PATIENCE))) {
        throw new AssertionError("slot " + request.slot() + " hangs");
      }
      drain();
    }
    drain();
    return request;
  }

  void complete(Request request) {
    end(request);
    if (request.failure() != null) {
      throw new AssertionError("slot " + request.slot() + " has failed", request.failure());
    }
    assertEquals(Request.State.DONE, request.state());
  }

  /** What the mesh fails with; waits for it with a receive that nobody serves. */
  GlooException failure() {
    Area area = rank.area(1);
    Request waiting = recv(0xdead, area);
    end(waiting);
    assertEquals(Request.State.FAILED, waiting.state());
    return waiting.failure();
  }

  void drain() {
    while (queue.poll() != null) {
      // Whoever wants to know looks at the request.
    }
  }

  @Override
  public void close() {
    mesh.close();
  }
}
