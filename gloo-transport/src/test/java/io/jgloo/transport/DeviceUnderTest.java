package io.jgloo.transport;

/** What a contract needs to know about the device that it holds to account. */
public interface DeviceUnderTest {

  /** New ranks, each with a device of its own; not started yet. */
  Ranks ranks(int size);

  /** Whether {@link Device#liveness} tells the dead from the living. */
  default boolean tellsLiveness() {
    return true;
  }

  /** Bytes a small message may allocate on the thread that posts and polls, after warm-up. */
  default long allocatedPerMessage() {
    return 0;
  }
}
