package io.jgloo.transport.tcp;

import io.jgloo.transport.CancelContract;
import io.jgloo.transport.ConnectContract;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;

/** The contract holds when messages are read in the memory of the rank that sends them. */
@RepeatedSuites({
  CancelContract.class,
  ConnectContract.class,
  MismatchContract.class,
  ReceiveAnyContract.class,
  ThreadsContract.class,
  UsageContract.class,
  WaitingContract.class
})
class TcpHeapDeviceTest extends DeviceContract {

  @Override
  public Ranks ranks(int size) {
    return new HeapRanks(size, 256 << 20, TcpMemoryDeviceTest.MEMORY);
  }
}
