package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.ibverbs.verbs.SoftFabric;
import io.jgloo.transport.ibverbs.verbs.SoftVerbs;
import io.jgloo.transport.ibverbs.verbs.Verbs;

/** Opens ibverbs devices on the software double, for tests here and in other modules. */
public final class SoftRanks {

  private static final DeviceOptions LOOPBACK = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");

  private final SoftFabric fabric;
  private final DeviceOptions options;

  private SoftRanks(SoftFabric fabric, DeviceOptions options) {
    this.fabric = fabric;
    this.options = options;
  }

  /** A network of its own, on which things happen at once. */
  public static SoftRanks prompt() {
    return new SoftRanks(new SoftFabric(), LOOPBACK);
  }

  /** A network of its own, on which the messages of different pairs overtake each other. */
  public static SoftRanks reordering(long seed) {
    return new SoftRanks(new SoftFabric().reorder(seed), LOOPBACK);
  }

  /** The same network, but devices have one more attribute. */
  public SoftRanks with(String name, Object value) {
    return new SoftRanks(fabric, options.with(name, value));
  }

  /** The same network, but devices have a job secret. */
  SoftRanks with(JobSecret secret) {
    return new SoftRanks(fabric, options.withSecret(secret));
  }

  /** A device of one more rank. */
  public Device open() {
    return open(adapter());
  }

  SoftVerbs adapter() {
    return new SoftVerbs(fabric);
  }

  /** A device on these calls, whose network may be another. */
  public Device open(Verbs verbs) {
    return new IbverbsDevice(verbs, IbverbsAttributes.parse(options));
  }

  SoftFabric fabric() {
    return fabric;
  }

  /** Fails if the rules of verbs were broken, or a receive came late. */
  public void check() {
    if (!fabric.violations().isEmpty() || fabric.rnr() > 0 || fabric.pairs() > 0) {
      throw new AssertionError(
          "%s; %d messages came before their receive; %d pairs are left"
              .formatted(fabric.violations(), fabric.rnr(), fabric.pairs()));
    }
  }
}
