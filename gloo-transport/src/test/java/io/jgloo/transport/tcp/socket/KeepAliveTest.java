package io.jgloo.transport.tcp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which connections are probed. */
@Timeout(10)
class KeepAliveTest {

  @ParameterizedTest
  @CsvSource({
    "60, 10.0.0.1, 10.0.0.2, true",
    "60, 10.0.0.1, 10.0.0.1, false",
    "60, fd00::1, fd00::2, true",
    "60, fd00::1, fd00::1, false",
    "60, 127.0.0.1, 127.0.0.2, false",
    "60, ::1, ::1, false",
    "0, 10.0.0.1, 10.0.0.2, false",
  })
  void connectionsBetweenHosts_areProbed(int idle, String local, String remote, boolean probed) {
    KeepAlive settings = new KeepAlive(idle);
    InetSocketAddress here = new InetSocketAddress(local, 1);
    assertEquals(probed, settings.probes(here, new InetSocketAddress(remote, 2)));
  }

  /** A connection that has just broken. */
  @ParameterizedTest
  @CsvSource({", 10.0.0.2", "10.0.0.1,"})
  void connectionsWithoutAddresses_areProbed(String local, String remote) {
    KeepAlive settings = new KeepAlive(60);
    InetSocketAddress here = local == null ? null : new InetSocketAddress(local, 1);
    InetSocketAddress there = remote == null ? null : new InetSocketAddress(remote, 2);
    assertTrue(settings.probes(here, there));
  }
}
