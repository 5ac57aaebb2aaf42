package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank has published an address of the loopback, which other machines cannot reach. */
@Timeout(60)
class LoopbackAddressTest {

  private static final String TOLD = "set attribute interface, bind or reach there";

  @Test
  void rankOfAnotherMachine_isReportedBeforeTheDeadline() throws Exception {
    String message = connect("far/" + UUID.randomUUID(), Duration.ofMinutes(10));
    assertTrue(message.contains("rank 0 on host far listens at tcp 127.0.0.1"), message);
    assertTrue(message.contains(TOLD), message);
  }

  /** It may be a container that shares this network and has not opened its port yet. */
  @Test
  void rankOfThisMachine_isAwaited() throws Exception {
    try (Device device = Devices.open("tcp", Loopback.OPTIONS)) {
      String own = mesh(device).address().host();
      String boot = own.substring(own.lastIndexOf('/') + 1);
      String message = connect("near/" + boot, Duration.ofMillis(100));
      assertTrue(!message.contains(TOLD) && message.contains("cannot be reached"), message);
    }
  }

  private static Mesh mesh(Device device) {
    return device.newMesh(new Membership("loopback", 0, 1, 2), FailureScope.COLLECTIVE);
  }

  /** What rank 1, which connects to rank 0, reports about the address of a port that is closed. */
  private static String connect(String host, Duration timeout) throws IOException {
    InetSocketAddress closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    byte[] endpoint = new Endpoint(UUID.randomUUID(), closed).encode();
    Address address = new Address("tcp", host, "127.0.0.1:" + closed.getPort(), endpoint);
    try (Device device = Devices.open("tcp", Loopback.OPTIONS);
        Mesh mesh = mesh(device)) {
      assumeTrue(mesh.address().host().contains("/"), "no boot id");
      return assertThrows(
              MeshConnectException.class,
              () -> mesh.connect(List.of(address, mesh.address()), timeout))
          .getMessage();
    }
  }
}
