package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;

/** The TCP device on classic Gloo's wire keeps the contract, but for what that wire cannot do. */
class TcpClassicDeviceTest extends DeviceContract {

  private static final DeviceOptions LOOPBACK =
      DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", "gloo-classic");

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", LOOPBACK));
  }
}
