package io.jgloo.transport.sim;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.DeviceProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Opens devices of simulated worlds by name.
 *
 * <p>Attributes: {@code world}, devices of one world reach each other, default {@code default};
 * {@code seed}, default 0, the same for all devices of a world; those of the TCP device. Each
 * device is the next rank of its world. Worlds begin with their first device and end with their
 * last. As the threads that use such devices are not the world's, runs are not repeatable and
 * timeouts take real time; {@link SimWorld#run} has neither drawback.
 */
public final class SimProvider implements DeviceProvider {

  private static final Set<String> OWN = Set.of("world", "seed");

  private static final class Open {
    final SimWorld world;
    final long seed;
    int devices;

    Open(long seed) {
      this.seed = seed;
      world = new SimWorld(0, seed);
    }
  }

  // Devices of one world are opened by callers that have only its name in common.
  private static final Map<String, Open> WORLDS = new HashMap<>();

  /** For {@link java.util.ServiceLoader}. */
  public SimProvider() {}

  @Override
  public String name() {
    return Network.DEVICE;
  }

  @Override
  public Optional<String> unavailability() {
    return Optional.empty();
  }

  @Override
  public Device open(DeviceOptions options) {
    String name = options.get("world", "default");
    long seed = options.get("seed", 0L, Long::decode);
    synchronized (WORLDS) {
      Open open = WORLDS.computeIfAbsent(name, key -> new Open(seed));
      if (open.seed != seed) {
        throw new IllegalArgumentException(
            "attribute seed cannot be %d: the world '%s' has the seed %d"
                .formatted(seed, name, open.seed));
      }
      DeviceOptions all = open.world.options();
      for (Map.Entry<String, String> attribute : options.attributes().entrySet()) {
        if (!OWN.contains(attribute.getKey())) {
          all = all.with(attribute.getKey(), attribute.getValue());
        }
      }
      Device device = open.world.addDevice(all, () -> close(name, open));
      open.devices++;
      return device;
    }
  }

  private static void close(String name, Open open) {
    synchronized (WORLDS) {
      if (--open.devices == 0) {
        WORLDS.remove(name);
      }
    }
  }
}
