package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.ibverbs.verbs.VerbsException;

/** Opens ibverbs devices on this machine's RDMA port, for tests here and in other modules. */
public final class RdmaRanks {

  private final DeviceOptions options;

  private RdmaRanks(DeviceOptions options) {
    this.options = options;
  }

  /** Ends the test as skipped, or failed, where there is no such port; see {@link RdmaPort}. */
  public static RdmaRanks find() {
    try {
      RdmaPort port = RdmaPort.find();
      return new RdmaRanks(
          DeviceOptions.DEFAULTS
              .with("bind", "127.0.0.1")
              .with("device", port.device())
              .with("gid", port.gidIndex()));
    } catch (VerbsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same port, but devices have one more attribute. */
  public RdmaRanks with(String name, Object value) {
    return new RdmaRanks(options.with(name, value));
  }

  /** A device of one more rank. */
  public Device open() {
    return new IbverbsProvider().open(options);
  }
}
