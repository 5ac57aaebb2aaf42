package io.jgloo.transport.tcp;

import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.UsageContract;

/**
 * The TCP device on current Gloo's wire keeps the contract, but for what that wire has no words
 * for.
 */
@RepeatedSuites({
  MemorySafetyContract.class,
  ReceiveAnyContract.class,
  ReductionContract.class,
  UsageContract.class
})
class TcpGlooDeviceTest extends CppGlooWireContract {

  @Override
  String wire() {
    return "gloo";
  }

  @Override
  String address() {
    return "127.0.0.73";
  }
}
