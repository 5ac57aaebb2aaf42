package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order in which a client tries the addresses of a server. */
@Timeout(30)
final class StoreConnectorTest {
  @Test
  void resolvedAddresses_alternateBetweenFamilies() throws Exception {
    List<InetAddress> resolved = List.of(v6(1), v6(2), v6(3), v4(1), v4(2));
    assertEquals(List.of(v6(1), v4(1), v6(2), v4(2), v6(3)), StoreConnector.alternated(resolved));
    assertEquals(List.of(v4(1)), StoreConnector.alternated(List.of(v4(1))));
    assertEquals(List.of(), StoreConnector.alternated(List.of()));
  }

  private static InetAddress v4(int last) throws Exception {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
  }

  private static InetAddress v6(int last) throws Exception {
    byte[] address = new byte[16];
    address[15] = (byte) last;
    return InetAddress.getByAddress(address);
  }
}
