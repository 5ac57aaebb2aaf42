package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.Tag;

/** Over TLS, one connection a pair, the TCP device keeps the whole contract. */
@Tag("full")
class TcpTlsContractTest extends DeviceContract {

  @Override
  public Ranks ranks(int size) {
    return TcpTlsDeviceTest.ranks(size, Loopback.OPTIONS.with("sockets", "nio"));
  }

  /** A TLS engine allocates as it likes. */
  @Override
  public long allocatedPerMessage() {
    return 20_000;
  }
}
