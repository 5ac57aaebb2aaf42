package io.jgloo.transport;

import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds device providers by name. */
public final class Devices {

  private Devices() {}

  /** All providers on this machine, usable or not. */
  public static List<DeviceProvider> providers() {
    return ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Opens a device with default attributes. */
  public static Device open(String name) {
    return open(name, DeviceOptions.DEFAULTS);
  }

  /**
   * Opens a device.
   *
   * @throws IllegalArgumentException if there is no device of that name or an attribute is wrong
   * @throws UnavailableException if there is, but this machine cannot use it
   */
  public static Device open(String name, DeviceOptions options) {
    TreeSet<String> names = new TreeSet<>();
    for (DeviceProvider provider : providers()) {
      if (provider.name().equals(name)) {
        Optional<String> cause = provider.unavailability();
        if (cause.isPresent()) {
          throw new UnavailableException("device " + name + " cannot be used: " + cause.get());
        }
        requireMemory();
        return provider.open(options);
      }
      names.add(provider.name());
    }
    throw new IllegalArgumentException("there is no device '" + name + "'; there are " + names);
  }

  /** Refuses a JVM without access to native memory here, where callers expect refusals. */
  private static void requireMemory() {
    try {
      Memory.copy(0, 0, 0);
    } catch (LinkageError e) {
      Throwable first = e instanceof NoClassDefFoundError ? e.getCause() : null;
      throw new UnavailableException(
          String.valueOf(first == null ? e.getMessage() : first.getMessage()), e);
    }
  }
}
