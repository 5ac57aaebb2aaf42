package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MeshUser;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.Wire;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** A real mesh on Gloo's wire, rank 0 of two, and rank 1 as a script that knows only the bytes. */
final class CppGlooRogue extends MeshUser implements AutoCloseable {

  static final DeviceOptions GLOO =
      DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", "gloo");
  static final int HEADER_BYTES = 48;
  static final int BOUND = 0;
  static final int PAYLOAD = 1;
  static final int SEND_READY = 2;
  static final int RECEIVE_READY = 3;

  final Device device;
  RoguePeer peer;

  CppGlooRogue(Rank rank, Device device) {
    super(rank, device.newMesh(new Membership("victim", 0, 0, 2)));
    this.device = device;
  }

  /** What a rogue does to a mesh of the rank. */
  interface Script {
    void run(CppGlooRogue rogue, Rank rank) throws Exception;
  }

  /** With a mesh that is not connected, of a device of its own: some can have one mesh only. */
  static void unconnected(DeviceOptions options, Script script) {
    Loopback.ranks(1, GLOO)
        .run(
            rank -> {
              try (Device device = Devices.open("tcp", options);
                  CppGlooRogue rogue = new CppGlooRogue(rank, device)) {
                script.run(rogue, rank);
              }
            });
  }

  static void play(Script script) {
    play(GLOO, script);
  }

  static void play(DeviceOptions options, Script script) {
    Loopback.ranks(1, options)
        .run(
            rank -> {
              try (CppGlooRogue rogue = connected(rank)) {
                script.run(rogue, rank);
              }
            });
  }

  /** The mesh, its rank 1 connected. */
  static CppGlooRogue connected(Rank rank) throws IOException {
    CppGlooRogue rogue = new CppGlooRogue(rank, rank.device());
    rogue.peer = rogue.dial().say(number(rogue.number()));
    rogue.connect();
    return rogue;
  }

  /** A connection to the mesh's listener. */
  RoguePeer dial() throws IOException {
    InetSocketAddress listener = own().listener();
    return new RoguePeer(new Socket(listener.getAddress(), listener.getPort()));
  }

  private CppGlooAddress own() {
    return CppGlooAddress.ofPair(Wire.GLOO, mesh().address().payload(), 0, 1, 2);
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
        CppGlooAddress.payloadOfPair(Wire.GLOO, new CppGlooAddress(listener, number), 1, 0, 2);
    Address address = new Address("tcp", "elsewhere", listener.toString(), payload);
    mesh().connect(List.of(mesh().address(), address), Ranks.PATIENCE);
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

  /** The peer hears this. */
  void hears(byte[] expected) throws IOException {
    assertArrayEquals(expected, peer.hear(expected.length));
  }

  /** A message each way still goes through. */
  void works() throws IOException {
    Area in = rank.area(3);
    Request recv = recv(0x51, in);
    hears(header(RECEIVE_READY, 0x51, 3));
    peer.say(header(SEND_READY, 0x51, 3), header(PAYLOAD, 0x51, 3), new byte[] {4, 5, 6});
    complete(recv);
    assertArrayEquals(new byte[] {4, 5, 6}, in.bytes(0, 3));
    Request send = send(0x52, rank.area(2).fill(1));
    hears(header(SEND_READY, 0x52, 2));
    peer.say(header(RECEIVE_READY, 0x52, 2));
    complete(send);
    hears(header(PAYLOAD, 0x52, 2));
    peer.hear(2);
  }

  @Override
  public void close() throws IOException {
    mesh().close();
    if (peer != null) {
      peer.close();
    }
  }
}
