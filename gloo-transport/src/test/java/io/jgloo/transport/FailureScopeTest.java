package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device.FailureScope;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wires whose pairs cannot fail alone say so. */
@Timeout(60)
class FailureScopeTest {

  private static final Membership OWN = new Membership("pairs", 0, 0, 2);

  private static String refusal(Device device) {
    try (device) {
      device.newMesh(OWN, FailureScope.COLLECTIVE).close();
      return assertThrows(
              UnavailableException.class, () -> device.newMesh(OWN, FailureScope.PAIRWISE))
          .getMessage();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gloo", "gloo-classic"})
  void wiresOfGloo_refusePairwise(String wire) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", wire);
    String refusal = refusal(Devices.open("tcp", options));
    assertTrue(refusal.contains("device tcp") && refusal.contains("wire="), refusal);
  }
}
