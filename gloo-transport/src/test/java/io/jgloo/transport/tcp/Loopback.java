package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;

/** TCP devices that listen on the loopback interface, and use its sockets. */
final class Loopback {

  static final DeviceOptions OPTIONS =
      DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", "off");

  private Loopback() {}

  static Ranks ranks(int size) {
    return ranks(size, OPTIONS);
  }

  static Ranks ranks(int size, DeviceOptions options) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", options));
  }
}
