package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Ranks;

/** The TCP device keeps the contract when all ranks share memory. */
class TcpMemoryDeviceTest extends DeviceContract {

  static final DeviceOptions MEMORY =
      DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", "require");

  @Override
  public Ranks ranks(int size) {
    return Loopback.ranks(size, MEMORY);
  }
}
