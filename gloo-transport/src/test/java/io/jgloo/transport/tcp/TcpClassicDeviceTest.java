package io.jgloo.transport.tcp;

/**
 * The TCP device on classic Gloo's wire keeps the contract, but for what that wire has no words
 * for.
 */
class TcpClassicDeviceTest extends GlooWireContract {

  @Override
  String wire() {
    return "gloo-classic";
  }
}
