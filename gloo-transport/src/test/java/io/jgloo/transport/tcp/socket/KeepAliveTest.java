package io.jgloo.transport.tcp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
