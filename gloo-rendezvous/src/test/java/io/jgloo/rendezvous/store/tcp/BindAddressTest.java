package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.LogRecords;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The address on which a store server listens, given the name of its host. */
@Timeout(30)
final class BindAddressTest {
  private static InetAddress first(String host) {
    return BindAddress.of(new HostPort(host, 1), false).get(0).getAddress();
  }

  @Test
  void nameOfBothFamilies_isListenedOnAtBoth() throws Exception {
    InetAddress[] all = InetAddress.getAllByName("localhost");
    assertEquals(
        Set.of(all),
        BindAddress.of(new HostPort("localhost", 1), false).stream()
            .map(InetSocketAddress::getAddress)
            .collect(Collectors.toSet()));
    try (TcpStore store = Stores.serve("localhost", 0, Duration.ofSeconds(20))) {
      for (InetAddress each : all) {
        if (NetworkInterface.getByInetAddress(each) != null) {
          Stores.connect(each.getHostAddress(), store.port(), Duration.ofSeconds(20)).close();
        }
      }
    }
  }

  /** Also where {@code localhost} has one address. */
  @Test
  void hostOfTwoAddresses_isListenedOnAtBoth() throws Exception {
    InetAddress[] two = {
      InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
      InetAddress.getByAddress(new byte[] {127, 0, 0, 2})
    };
    List<InetSocketAddress> bind = BindAddress.of(new HostPort("localhost", 0), two, false);
    assertEquals(List.of(two), bind.stream().map(InetSocketAddress::getAddress).toList());
    try (StoreServer server =
        StoreServer.start(bind, TcpStoreLimits.DEFAULT, new StoreGuard(null, null))) {
      for (InetAddress each : two) {
        Stores.connect(each.getHostAddress(), server.port(), Duration.ofSeconds(20)).close();
      }
    }
  }

  @Test
  void addressOfThisMachine_isListenedOn() {
    assertTrue(first("localhost").isLoopbackAddress());
    assertTrue(first("127.0.0.1").isLoopbackAddress());
    assertTrue(first("127.3.2.1").isLoopbackAddress());
    assertTrue(first("192.0.2.7").isAnyLocalAddress());
    assertThrows(
        StoreUnavailableException.class,
        () -> BindAddress.of(new HostPort("no.invalid", 1), false));
  }

  @Test
  void listeningOnAllAddresses_isAWarningThatSaysHowToBindOne() {
    try (LogRecords records = new LogRecords(BindAddress.class)) {
      assertTrue(first("192.0.2.7").isAnyLocalAddress());
      assertEquals(1, records.warnings().size());
      String warning = records.warnings().get(0);
      assertTrue(warning.contains("192.0.2.7"), warning);
      assertTrue(warning.contains("not authenticated"), warning);
      assertTrue(warning.contains("?bind="), warning);
      BindAddress.of(new HostPort("127.0.0.1", 1), false);
      assertEquals(1, records.warnings().size());
      BindAddress.of(new HostPort("192.0.2.7", 1), true);
      String authenticated = records.warnings().get(1);
      assertTrue(authenticated.contains("all addresses"), authenticated);
      assertFalse(authenticated.contains("not authenticated"), authenticated);
    }
  }
}
