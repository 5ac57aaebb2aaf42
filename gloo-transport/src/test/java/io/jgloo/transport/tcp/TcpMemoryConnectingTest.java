package io.jgloo.transport.tcp;

import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.Timeout;

/**
 * Memory takes the place of several connections, of pairs that are connected on demand, on
 * java.nio.
 */
@Timeout(100)
class TcpMemoryConnectingTest implements MessageContract, ClosingContract {

  private static final DeviceOptions OPTIONS =
      TcpMemoryDeviceTest.MEMORY
          .with("connections", "3")
          .with("connecting", "lazy")
          .with("sockets", "nio");

  @Override
  public Ranks ranks(int size) {
    return new TcpLazyDeviceTest.UsedOnce(size, OPTIONS);
  }
}
