package io.jgloo.transport.tcp;

import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.UnexpectedContract;
import org.junit.jupiter.api.Timeout;

/**
 * The contracts of messages hold with named files, and rings that nearly every message fills and
 * wraps; {@link TcpMemoryDeviceTest} holds shared memory to all of them.
 */
@Timeout(100)
class TcpMemoryFileDeviceTest
    implements MessageContract, UnexpectedContract, ReductionContract, ClosingContract {

  @Override
  public Ranks ranks(int size) {
    return Loopback.ranks(
        size, TcpMemoryDeviceTest.MEMORY.with("segment", "file").with("ring", "4096"));
  }
}
