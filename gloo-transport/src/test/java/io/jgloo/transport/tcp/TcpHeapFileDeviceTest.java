package io.jgloo.transport.tcp;

import io.jgloo.transport.CancelContract;
import io.jgloo.transport.ConnectContract;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UnexpectedContract;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;

/**
 * The contract holds with named files, and rings that frames of any kind fill and wrap. All pages
 * of such a file are reserved when it is made, which takes longer than most tests; so the heap is
 * small here, and longer areas are private.
 *
 * <p>Suites are repeated that {@link TcpHeapDeviceTest} has, and that do not take the memory away;
 * {@link TcpMemoryFileDeviceTest} fills such rings with messages without a receive.
 */
@RepeatedSuites({
  UnexpectedContract.class,
  ReductionContract.class,
  ReceiveAnyContract.class,
  CancelContract.class,
  MismatchContract.class,
  WaitingContract.class,
  ThreadsContract.class,
  ConnectContract.class,
  UsageContract.class
})
class TcpHeapFileDeviceTest extends DeviceContract {

  @Override
  public Ranks ranks(int size) {
    return new HeapRanks(
        size, 2 << 20, TcpMemoryDeviceTest.MEMORY.with("segment", "file").with("ring", "4096"));
  }
}
