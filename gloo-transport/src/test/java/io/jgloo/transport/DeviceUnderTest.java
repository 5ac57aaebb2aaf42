package io.jgloo.transport;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** What a contract needs to know about the device that it holds to account. */
public interface DeviceUnderTest {

  /** New ranks, each with a device of its own; not started yet. */
  Ranks ranks(int size);

  /** Whether {@link Device#liveness} tells the dead from the living. */
  default boolean tellsLiveness() {
    return true;
  }

  /** What it can do; tests of anything else are skipped and say why. */
  default Set<Ability> abilities() {
    return EnumSet.allOf(Ability.class);
  }

  /** Skips the test if the device cannot do this. */
  default void needs(Ability ability) {
    assumeTrue(abilities().contains(ability), ability.without());
  }

  /** Bytes a small message may allocate on the thread that posts and polls, after warm-up. */
  default long allocatedPerMessage() {
    return 0;
  }

  /**
   * Keeps the address of a closed device from devices of other processes until it is closed, if a
   * peer could take such a device for the closed one.
   */
  default Closeable occupied(Address address) throws IOException {
    return () -> {};
  }
}
