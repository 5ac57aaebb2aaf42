package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.Timeout;

/** With a job secret ranks connect, by memory and several sockets, and notify each other. */
@Timeout(100)
class TcpSecretDeviceTest implements AbortContract {

  private static final DeviceOptions OPTIONS =
      TcpMemoryDeviceTest.MEMORY.with("connections", 2).withSecret(Secrets.SECRET);

  @Override
  public Ranks ranks(int size) {
    return Loopback.ranks(size, OPTIONS);
  }
}
