package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MeshUser;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A real mesh, rank 0 of it, whose other ranks are {@link RoguePeer}s. */
final class Victim extends MeshUser implements AutoCloseable {

  static final String GROUP = "victim";

  private final List<Address> addresses = new ArrayList<>();

  Victim(Rank rank) {
    this(rank, 2);
  }

  Victim(Rank rank, int size) {
    super(rank, rank.device().newMesh(new Membership(GROUP, 0, 0, size)));
    addresses.add(mesh().address());
    while (addresses.size() < size) {
      InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      addresses.add(RoguePeer.address(UUID.randomUUID(), nowhere));
    }
  }

  /** What happens to a mesh before a peer has joined. */
  interface Handshake {
    void of(Victim victim, Rank rank) throws Exception;
  }

  /** What a peer that has joined does. */
  interface Attack {
    void on(Victim victim, RoguePeer rogue, Rank rank) throws Exception;
  }

  static void meet(DeviceOptions options, Handshake handshake) {
    Loopback.ranks(1, options)
        .run(
            rank -> {
              try (Victim victim = new Victim(rank)) {
                handshake.of(victim, rank);
              }
            });
  }

  static void attack(Attack attack) {
    meet(
        Loopback.OPTIONS,
        (victim, rank) -> {
          try (RoguePeer rogue = invade(victim)) {
            attack.on(victim, rogue, rank);
          }
        });
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
    RoguePeer rogue = RoguePeer.dial(mesh().address()).say(hello.bytes());
    assertArrayEquals(
        WireBytes.welcome(WireBytes.ACCEPTED, mesh().membership().size(), 4 << 20, 0),
        rogue.hear(WireBytes.WELCOME_BYTES));
    return rogue;
  }

  /** A rogue that has said the hello of a rank. */
  RoguePeer dialled(int peer) throws IOException {
    return RoguePeer.dial(mesh().address()).say(hello(peer).bytes());
  }

  /** The hello of its rank 1. */
  WireBytes.RawHello hello() {
    return hello(1);
  }

  WireBytes.RawHello hello(int peer) {
    UUID own = Endpoint.decode(mesh().address()).incarnation();
    WireBytes.RawHello hello = new WireBytes.RawHello(own, GROUP);
    hello.source = Endpoint.decode(addresses.get(peer)).incarnation();
    hello.rank = peer;
    hello.size = mesh().membership().size();
    hello.options = ((TcpMesh) mesh()).settings().pair().encode();
    return hello;
  }

  void connect() {
    mesh().connect(addresses, Ranks.PATIENCE);
  }

  /** Whether {@link #connect} has been called, so that it knows who its peers are. */
  boolean knowsItsPeers() {
    TcpMesh own = (TcpMesh) mesh();
    own.lock();
    try {
      return !own.connectionTable().hosts().isEmpty();
    } finally {
      own.unlock();
    }
  }

  @Override
  public void close() {
    mesh().close();
  }
}
