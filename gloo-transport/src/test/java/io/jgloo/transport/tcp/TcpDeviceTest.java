package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;

/** The TCP device on epoll keeps the contract. */
class TcpDeviceTest extends DeviceContract {

  @Override
  public Ranks ranks(int size) {
    return Loopback.ranks(size);
  }
}
