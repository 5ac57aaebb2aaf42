package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.ibverbs.verbs.SoftFabric;
import io.jgloo.transport.ibverbs.verbs.SoftVerbs;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which device, port, address and packet size are used, and the error if there is none. */
@Timeout(60)
final class AdapterTest {

  private final SoftVerbs verbs = new SoftVerbs(new SoftFabric());

  private Adapter open(String name, Object value) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with(name, value);
    return new Adapter(verbs, IbverbsAttributes.parse(options));
  }

  @AfterEach
  void nothingIsLeft() {
    assertEquals(Map.of(), verbs.live());
    assertEquals(0, verbs.fabric().violations().size());
  }

  @Test
  void takesARoutableAddressOfRoce2() {
    try (Adapter adapter = open("spin", 0)) {
      assertEquals(2, adapter.gidIndex());
      assertEquals("::ffff:10.77.0.1", adapter.gid().toString());
      assertEquals(1, adapter.portNumber());
      assertEquals(5, adapter.mtu());
      assertEquals(8 << 20, adapter.maxMessageBytes());
    }
    try (Adapter adapter = open("gid", 0)) {
      assertEquals("fe80:0:0:0:5054:ff:fe12:3456", adapter.gid().toString());
    }
    try (Adapter adapter = open("mtu", 1024)) {
      assertEquals(3, adapter.mtu());
    }
  }

  @Test
  void tellsWhatThereIsNot() {
    tells(IllegalArgumentException.class, "device", "mlx9", "'mlx9'; there are [soft0]");
    tells(RuntimeException.class, "port", "2", "ibv_query_port");
    tells(RuntimeException.class, "gid", "3", "has no GID 3");
    tells(IllegalArgumentException.class, "gid", "4", "has 4 entries, not 4");
  }

  @Test
  void attributesMustMakeSense() {
    tells(IllegalArgumentException.class, "mtu", "1500", "256, 512, 1024, 2048 or 4096");
    tells(IllegalArgumentException.class, "depth", "48", "a power of two");
    tells(IllegalArgumentException.class, "retries", "8", "0 to 7");
    tells(IllegalArgumentException.class, "colour", "red", "has no attribute 'colour'");
  }

  private void tells(
      Class<? extends RuntimeException> kind, String name, String value, String part) {
    String message = assertThrows(kind, () -> open(name, value)).getMessage();
    assertTrue(message.contains(part), message);
  }
}
