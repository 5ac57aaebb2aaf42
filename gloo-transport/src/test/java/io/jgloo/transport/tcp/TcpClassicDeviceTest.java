package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.transport.Address;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.gloo.GlooAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The TCP device on classic Gloo's wire keeps the contract, but for what that wire has no words
 * for.
 */
class TcpClassicDeviceTest extends GlooWireContract {

  @Override
  String wire() {
    return "gloo-classic";
  }

  /** Whose address is the higher dials, so both look for a peer at the lowest first. */
  @Test
  void whoHasDialledInVainStillListens() {
    ranks(2)
        .runUnconnected(
            rank -> {
              int peer = 1 - rank.rank();
              List<Address> addresses = new ArrayList<>(rank.addresses("world"));
              // The lowest in Gloo's order of ports.
              InetSocketAddress lowest =
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 256);
              Address real = addresses.get(peer);
              byte[] payload = new GlooAddress(lowest, GlooAddress.NO_SEQUENCE).encode();
              addresses.set(
                  peer, new Address(real.device(), real.host(), lowest.toString(), payload));
              assertThrows(
                  MeshConnectException.class,
                  () -> rank.mesh().connect(addresses, Duration.ofMillis(200)));
              rank.meet();
              rank.connect();
              rank.complete(rank.send(peer, 1, rank.area(8)), rank.recv(peer, 1, rank.area(8)));
            });
  }
}
