package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.UnavailableException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups that are too big for this process are refused before they begin. */
@Timeout(30)
final class SystemLimitsTest {
  @Test
  void tooManyFiles_areRefused() {
    SystemLimits.requireFiles("it", 900, 100, 1024);
    RendezvousException e =
        assertThrows(
            RendezvousException.class, () -> SystemLimits.requireFiles("it", 2000, 100, 1024));
    assertEquals(
        "it needs 2000 open files and 16 in reserve; this process has 100 open and may have 1024"
            + " (ulimit -n)",
        e.getMessage());
    SystemLimits.requireFiles("without known limits", 2000, -1, -1);
  }

  @Test
  void groupOfAMillion_isRefusedAtOnce() {
    DeviceOptions onLoopback = DeviceOptions.DEFAULTS.with("interface", "lo");
    for (String connecting : List.of("eager", "auto")) {
      try (HashStore store = new HashStore();
          Device device = Devices.open("tcp", onLoopback.with("connecting", connecting));
          Context context =
              new Context(new Membership("world", 0, 0, 1 << 20), Duration.ofSeconds(20))) {
        UnavailableException e =
            assertThrows(UnavailableException.class, () -> context.connectFullMesh(store, device));
        assertTrue(
            e.getMessage().contains("needs 4096 MiB of heap for its pairs; this process"),
            e.getMessage());
        assertFalse(store.check(List.of("world@0/rank/0")));
      }
    }
    RendezvousException e =
        assertThrows(
            RendezvousException.class,
            () -> Stores.open("tcp://127.0.0.1:1", 0, 1 << 20, Duration.ofSeconds(20)));
    assertTrue(e.getMessage().contains("a store for"), e.getMessage());
  }

  @Test
  void shortBacklog_isDetected() {
    assertTrue(SystemLimits.checkBacklog(100, 4096));
    assertFalse(SystemLimits.checkBacklog(5000, 4096));
  }
}
