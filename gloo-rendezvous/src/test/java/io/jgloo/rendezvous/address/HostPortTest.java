package io.jgloo.rendezvous.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hosts with ports, as text. */
@Timeout(30)
final class HostPortTest {
  @Test
  void hostWithPort_isReadAndWrittenAlike() {
    assertEquals(new HostPort("::1", 80), HostPort.parse("[::1]:80"));
    assertEquals("[::1]:80", new HostPort(" [::1] ", 80).toString());
    assertEquals("node-1_x:29500", HostPort.parse("node-1_x:29500").toString());
    assertThrows(IllegalArgumentException.class, () -> new HostPort(" ", 1));
    assertThrows(IllegalArgumentException.class, () -> new HostPort("h", -1));
  }
}
