package io.jgloo.transport;

import java.util.Optional;

/** Makes devices of one kind; found by {@link java.util.ServiceLoader}. */
public interface DeviceProvider {

  /** Kind of device, such as {@code tcp}. */
  String name();

  /** Why this kind cannot be used on this machine, or empty if it can. */
  Optional<String> unavailability();

  /**
   * Opens a device.
   *
   * @throws IllegalArgumentException if an attribute is unknown or its value is not allowed @throws
   *     JGlooException if the machine does not permit it
   */
  Device open(DeviceOptions options);
}
