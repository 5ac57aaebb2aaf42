package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.Address;
import io.jgloo.transport.CancelContract;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UnexpectedContract;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The TCP device on classic Gloo's wire keeps the contract, but for what that wire has no words
 * for.
 *
 * <p>Suites are repeated that {@link TcpGlooDeviceTest} has: only the handshakes of the two wires
 * differ.
 */
@RepeatedSuites({
  UnexpectedContract.class,
  WaitingContract.class,
  AbortContract.class,
  ReductionContract.class,
  ReceiveAnyContract.class,
  CancelContract.class,
  MismatchContract.class,
  ThreadsContract.class,
  MemorySafetyContract.class,
  UsageContract.class
})
class TcpClassicDeviceTest extends CppGlooWireContract {

  @Override
  String wire() {
    return "gloo-classic";
  }

  @Override
  String address() {
    return "127.0.0.71";
  }

  /** Binds its ports without listening: this wire does not tell which process answers. */
  @Override
  public Closeable occupied(Address address) throws IOException {
    List<Socket> bound = new ArrayList<>();
    for (int at = 0; at < address.payload().length; at += CppGlooAddress.BYTES) {
      byte[] ofPair = Arrays.copyOfRange(address.payload(), at, at + CppGlooAddress.BYTES);
      bound.add(new Socket());
      bound.get(bound.size() - 1).bind(CppGlooAddress.decode(ofPair).listener());
    }
    return () -> {
      for (Socket socket : bound) {
        socket.close();
      }
    };
  }

  /** Whose address is the higher dials, so both look for a peer at the lowest first. */
  @Test
  void rankWhoseDialFailed_stillListens() {
    ranks(2)
        .runUnconnected(
            rank -> {
              int peer = 1 - rank.rank();
              List<Address> addresses = new ArrayList<>(rank.addresses("world"));
              // The lowest in Gloo's order of ports.
              InetSocketAddress lowest = new InetSocketAddress(address(), 256);
              Address real = addresses.get(peer);
              byte[] payload = new CppGlooAddress(lowest, CppGlooAddress.NO_SEQUENCE).encode();
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
