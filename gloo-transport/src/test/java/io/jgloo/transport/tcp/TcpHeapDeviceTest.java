package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.UnexpectedContract;
import org.junit.jupiter.api.Timeout;

/** The contract holds when messages are read in the memory of the rank that sends them. */
@Timeout(100)
class TcpHeapDeviceTest
    implements MessageContract,
        UnexpectedContract,
        ReductionContract,
        ClosingContract,
        MemorySafetyContract,
        AbortContract {

  @Override
  public Ranks ranks(int size) {
    return new HeapRanks(size, 256 << 20, TcpMemoryDeviceTest.MEMORY);
  }
}
