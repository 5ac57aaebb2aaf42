package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.ConnectContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UnexpectedContract;
import io.jgloo.transport.WaitingContract;
import org.junit.jupiter.api.Timeout;

/** The TCP device without epoll keeps the contract too. */
@Timeout(100)
class TcpNioDeviceTest
    implements MessageContract,
        UnexpectedContract,
        WaitingContract,
        ThreadsContract,
        ClosingContract,
        AbortContract,
        ConnectContract {

  private static final DeviceOptions LOOPBACK = Loopback.OPTIONS.with("sockets", "nio");

  @Override
  public Ranks ranks(int size) {
    return Loopback.ranks(size, LOOPBACK);
  }

  /** A selector allocates its key sets as it likes. */
  @Override
  public long allocatedPerMessage() {
    return 1000;
  }
}
