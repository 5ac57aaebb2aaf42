package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A real mesh, rank 0 of it, whose other ranks are {@link RoguePeer}s. */
final class Victim implements AutoCloseable {

  static final String GROUP = "victim";

  private final Rank rank;
  private final Mesh mesh;
  private final CompletionQueue queue;
  private final List<Address> addresses = new ArrayList<>();

  Victim(Rank rank) {
    this(rank, 2);
  }

  Victim(Rank rank, int size) {
    this.rank = rank;
    mesh = rank.device().newMesh(new Membership(GROUP, 0, 0, size));
    queue = mesh.newQueue();
    addresses.add(mesh.address());
    while (addresses.size() < size) {
      InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      addresses.add(RoguePeer.address(UUID.randomUUID(), nowhere));
    }
  }

  /** A rogue that has said its hello well and is rank 1 of two now. */
  static RoguePeer invade(Victim victim) throws IOException {
    RoguePeer rogue = victim.join(1);
    victim.connect();
    return rogue;
  }

  /** A rogue that has said the hello of a rank, was welcome and has confirmed. */
  RoguePeer join(int peer) throws IOException {
    return welcome(peer).say(WireBytes.confirmation());
  }

  /** A rogue that has said the hello of a rank and was welcome. */
  RoguePeer welcome(int peer) throws IOException {
    return welcome(hello(peer));
  }

  /** A rogue that has said this hello and was welcome. */
  RoguePeer welcome(WireBytes.RawHello hello) throws IOException {
    RoguePeer rogue = RoguePeer.dial(mesh.address()).say(hello.bytes());
    assertArrayEquals(
        WireBytes.welcome(WireBytes.ACCEPTED, mesh.membership().size(), 4 << 20, 0),
        rogue.hear(WireBytes.WELCOME_BYTES));
    return rogue;
  }

  /** A rogue that has said the hello of a rank. */
  RoguePeer dialled(int peer) throws IOException {
    return RoguePeer.dial(mesh.address()).say(hello(peer).bytes());
  }

  /** The hello of its rank 1. */
  WireBytes.RawHello hello() {
    return hello(1);
  }

  WireBytes.RawHello hello(int peer) {
    UUID own = Endpoint.decode(mesh.address()).incarnation();
    WireBytes.RawHello hello = new WireBytes.RawHello(own, GROUP);
    hello.source = Endpoint.decode(addresses.get(peer)).incarnation();
    hello.rank = peer;
    hello.size = mesh.membership().size();
    hello.options = ((TcpMesh) mesh).settings().pair().encode();
    return hello;
  }

  void connect() {
    mesh.connect(addresses, Ranks.PATIENCE);
  }

  /** Whether {@link #connect} has been called, so that it knows who its peers are. */
  boolean knowsItsPeers() {
    TcpMesh own = (TcpMesh) mesh;
    own.lock();
    try {
      return !own.connectionTable().hosts().isEmpty();
    } finally {
      own.unlock();
    }
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
    return send(request(slot, area));
  }

  Request send(Request request) {
    mesh.pair(1).send(request);
    return request;
  }

  /** Looks once whether anything has arrived. */
  void look() {
    queue.progress();
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

  /** What the mesh fails with; waits for it with a receive without a message. */
  JGlooException failure() {
    Area area = rank.area(1);
    Request waiting = recv(0xdead, area);
    end(waiting);
    assertEquals(Request.State.FAILED, waiting.state());
    return waiting.failure();
  }

  void drain() {
    while (queue.poll() != null) {
      // The request holds the failure.
    }
  }

  @Override
  public void close() {
    mesh.close();
  }
}
