package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.LogRecords;
import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The address on which a store server listens, given the name of its host. */
@Timeout(30)
final class BindAddressTest {
  @Test
  void addressOfThisMachine_isListenedOn() {
    assertTrue(
        BindAddress.of(new HostPort("localhost", 1), false).getAddress().isLoopbackAddress());
    assertTrue(
        BindAddress.of(new HostPort("127.0.0.1", 1), false).getAddress().isLoopbackAddress());
    assertTrue(
        BindAddress.of(new HostPort("127.3.2.1", 1), false).getAddress().isLoopbackAddress());
    assertTrue(
        BindAddress.of(new HostPort("192.0.2.7", 1), false).getAddress().isAnyLocalAddress());
    assertThrows(
        StoreUnavailableException.class,
        () -> BindAddress.of(new HostPort("no.invalid", 1), false));
  }

  @Test
  void listeningOnAllAddresses_isAWarningThatSaysHowToBindOne() {
    try (LogRecords records = new LogRecords(BindAddress.class)) {
      assertTrue(
          BindAddress.of(new HostPort("192.0.2.7", 1), false).getAddress().isAnyLocalAddress());
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
