package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.ibverbs.RdmaPort;

/** The binding of libibverbs without any library of ours: the driver's functions by pointer. */
final class TableCallsTest extends VerbsContract {

  @Override
  RdmaPort port() throws VerbsException {
    RdmaPort port = RdmaPort.find();
    return new RdmaPort(new NativeVerbs(new TableCalls()), port.device(), port.gidIndex());
  }
}
