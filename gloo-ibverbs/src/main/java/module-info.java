/** The device on RDMA queue pairs, and one-sided operations. */
module io.jgloo.ibverbs {
  requires transitive io.jgloo.transport;
  requires com.sun.jna;
  requires static org.jspecify;

  exports io.jgloo.transport.ibverbs;

  provides io.jgloo.transport.DeviceProvider with
      io.jgloo.transport.ibverbs.IbverbsProvider;
}
