/** Tests without a network: the TCP device in a simulated network and time. */
module io.jgloo.testkit {
  requires transitive io.jgloo.transport;
  requires static org.jspecify;

  exports io.jgloo.transport.sim;

  provides io.jgloo.transport.DeviceProvider with
      io.jgloo.transport.sim.SimProvider;
}
