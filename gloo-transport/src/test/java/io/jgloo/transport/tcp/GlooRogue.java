package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.Wire;
import io.jgloo.transport.gloo.GlooAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** A real mesh on Gloo's wire, rank 0 of two, and rank 1 as a script that knows only the bytes. */
final class GlooRogue implements AutoCloseable {

  static final int HEADER_BYTES = 48;
  static final int BOUND = 0;
  static final int PAYLOAD = 1;
  static final int SEND_READY = 2;
  static final int RECEIVE_READY = 3;

  private final Rank rank;
  final Device device;
  final Mesh mesh;
  private final CompletionQueue queue;
  RoguePeer peer;

  GlooRogue(Rank rank, Device device) {
    this.rank = rank;
    this.device = device;
    mesh = device.newMesh(new Membership("victim", 0, 0, 2));
    queue = mesh.newQueue();
  }

  /** The mesh, its rank 1 connected. */
  static GlooRogue connected(Rank rank) throws IOException {
    GlooRogue rogue = new GlooRogue(rank, rank.device());
    rogue.peer = rogue.dial().say(number(rogue.number()));
    rogue.connect();
    return rogue;
  }

  /** A connection to the mesh's listener. */
  RoguePeer dial() throws IOException {
    InetSocketAddress listener = own().listener();
    return new RoguePeer(new Socket(listener.getAddress(), listener.getPort()));
  }

  private GlooAddress own() {
    return GlooAddress.ofPair(Wire.GLOO, mesh.address().payload(), 0, 1, 2);
  }

  /** What rank 1 must present. */
  long number() {
    return own().sequence();
  }

  /** Connects to a rank 1 whose address makes it the one that dials. */
  void connect() {
    InetSocketAddress greater = new InetSocketAddress("127.0.0.2", 1);
    connect(greater, 77);
  }

  void connect(InetSocketAddress listener, long number) {
    byte[] payload =
        GlooAddress.payloadOfPair(Wire.GLOO, new GlooAddress(listener, number), 1, 0, 2);
    Address address = new Address("tcp", "elsewhere", listener.toString(), payload);
    mesh.connect(List.of(mesh.address(), address), Ranks.PATIENCE);
  }

  static byte[] number(long number) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  static byte[] header(
      long total, long opcode, long slot, long offset, long length, long remoteOffset) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(total)
        .putLong(opcode)
        .putLong(slot)
        .putLong(offset)
        .putLong(length)
        .putLong(remoteOffset)
        .array();
  }

  /** A notice, or the header of a payload. */
  static byte[] header(int opcode, long slot, long length) {
    return header(HEADER_BYTES + (opcode <= PAYLOAD ? length : 0), opcode, slot, 0, length, 0);
  }

  CompletionQueue queue() {
    return queue;
  }

  Request request(long slot, Area area) {
    return queue
        .newRequest()
        .message(
            slot, mesh.newBuffer().wrap(area.address(), area.length(), area), 0, area.length());
  }

  Request recv(Request request) {
    mesh.pair(1).recv(request);
    return request;
  }

  Request recv(long slot, Area area) {
    return recv(request(slot, area));
  }

  Request send(Request request) {
    mesh.pair(1).send(request);
    return request;
  }

  Request send(long slot, Area area) {
    return send(request(slot, area));
  }

  /** Waits until a request ends. */
  Request end(Request request) {
    while (!request.isDone()) {
      if (!queue.await(rank.deadline(Ranks.PATIENCE))) {
        throw new AssertionError("slot " + request.slot() + " hangs");
      }
      while (queue.poll() != null) {
        // The request holds the failure.
      }
    }
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
    Request waiting = recv(0xdead, rank.area(1));
    end(waiting);
    assertEquals(Request.State.FAILED, waiting.state());
    return waiting.failure();
  }

  @Override
  public void close() throws IOException {
    mesh.close();
    if (peer != null) {
      peer.close();
    }
  }
}
