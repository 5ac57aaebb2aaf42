package io.jgloo.transport.tcp;

import io.jgloo.transport.Mesh;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.leaks.Leaks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Meshes that come and go leave no descriptor, thread or memory behind. */
@Timeout(1000)
class ManyMeshesTest {

  private static final int CYCLES = Boolean.getBoolean("jgloo.test.full") ? 1000 : 60;

  @BeforeAll
  static void useSocketsOnce() {
    Ranks.useSocketsOnce();
  }

  @Test
  void meshesThatAreOpenedAndClosed_leaveNothing() {
    Leaks leaks = Leaks.before();
    Loopback.ranks(2)
        .run(
            rank -> {
              for (int i = 0; i < CYCLES; i++) {
                Mesh mesh = rank.connectAnother("cycle-" + i);
                rank.meet();
                mesh.close();
              }
            });
    leaks.check();
  }
}
