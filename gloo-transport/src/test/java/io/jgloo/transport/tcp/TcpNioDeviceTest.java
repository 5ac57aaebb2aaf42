package io.jgloo.transport.tcp;

import io.jgloo.transport.CancelContract;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.UsageContract;

/**
 * The TCP device without epoll keeps the contract too.
 *
 * <p>Suites are repeated whose subject begins when the bytes of a frame are there.
 */
@RepeatedSuites({
  ReductionContract.class,
  ReceiveAnyContract.class,
  CancelContract.class,
  MismatchContract.class,
  MemorySafetyContract.class,
  UsageContract.class
})
class TcpNioDeviceTest extends DeviceContract {

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
