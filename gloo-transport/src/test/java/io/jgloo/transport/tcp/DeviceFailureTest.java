package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Address;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Ranks;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a device leaves behind, and goes on with, when one of its parts fails. */
@Timeout(90)
class DeviceFailureTest {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  /** Each of the silent ones takes the whole time that a notice is given. */
  @Test
  void abortNotice_reachesAPeerBehindManyThatDoNotAnswer() {
    int silent = 15;
    Loopback.ranks(1, TcpLazyDeviceTest.LAZY)
        .run(
            rank -> {
              List<ServerSocket> servers = new ArrayList<>();
              List<Address> addresses = new ArrayList<>();
              Mesh mesh = rank.device().newMesh(new Membership("many", 0, 0, silent + 2));
              addresses.add(mesh.address());
              for (int i = 0; i <= silent; i++) {
                ServerSocket server = RoguePeer.listen();
                InetSocketAddress listener = (InetSocketAddress) server.getLocalSocketAddress();
                servers.add(server);
                addresses.add(RoguePeer.address(UUID.randomUUID(), listener));
              }
              mesh.connect(addresses, Ranks.PATIENCE);
              mesh.abort(new AbortedException(0, "enough"));
              try (RoguePeer last = new RoguePeer(servers.get(silent).accept())) {
                last.hear(WireBytes.HELLO_BYTES);
              }
              for (ServerSocket server : servers) {
                server.close();
              }
              mesh.close();
            });
  }
}
