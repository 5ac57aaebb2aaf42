package io.jgloo.transport.tcp;

/**
 * The TCP device on current Gloo's wire keeps the contract, but for what that wire has no words
 * for.
 */
class TcpGlooDeviceTest extends GlooWireContract {

  @Override
  String wire() {
    return "gloo";
  }

  @Override
  String address() {
    return "127.0.0.73";
  }
}
