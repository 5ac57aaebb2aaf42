package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Two ranks of which one refuses the other. */
final class RefusedRank {

  private RefusedRank() {}

  /** Why a rank does not connect, which does not fail its mesh; prints it with the time. */
  static JGlooException cause(String what, Mesh mesh, List<Address> addresses, Duration limit) {
    long start = System.nanoTime();
    MeshConnectException failure =
        assertThrows(MeshConnectException.class, () -> mesh.connect(addresses, limit));
    double millis = (System.nanoTime() - start) / 1e6;
    int peer = 1 - mesh.membership().rank();
    assertEquals(Set.of(peer), failure.causes().keySet());
    assertTrue(failure.getMessage().contains("rank " + peer + " at "), failure.getMessage());
    assertTrue(mesh.failure().isEmpty());
    JGlooException cause = failure.causes().get(peer);
    System.out.printf(
        "refusal: %s: rank %d after %.1f ms of %d: %s%n",
        what, mesh.membership().rank(), millis, limit.toMillis(), cause);
    return cause;
  }
}
