package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.ibverbs.RdmaPort;

/**
 * The binding of libibverbs on a real device, by whichever way the driver's functions are found.
 */
final class NativeVerbsTest extends VerbsContract {

  @Override
  RdmaPort port() throws VerbsException {
    return RdmaPort.find();
  }
}
