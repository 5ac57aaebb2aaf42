/** Bytes, slots and peers. */
@SuppressWarnings("module") // the modules that these packages are exported to are compiled later
module io.jgloo.transport {
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  // Resources only, the library of epoll: Netty does not find it in a module that is not resolved.
  requires io.netty.transport.epoll.linux.aarch_64;
  requires io.netty.transport.epoll.linux.x86_64;
  requires io.netty.transport.unix.common;
  requires jdk.management;
  requires jdk.unsupported; // raw memory before JDK 22; found by name
  requires static jdk.jfr;
  requires static transitive org.jspecify;

  exports io.jgloo.transport;
  exports io.jgloo.transport.capability to
      io.jgloo,
      io.jgloo.rendezvous,
      io.jgloo.rpc,
      io.jgloo.testkit;
  exports io.jgloo.transport.engine to
      io.jgloo.ibverbs,
      io.jgloo.testkit;
  exports io.jgloo.transport.flight to
      io.jgloo,
      io.jgloo.rendezvous;
  exports io.jgloo.transport.cppgloo to
      io.jgloo.rendezvous;
  exports io.jgloo.transport.leaks to
      io.jgloo.testkit;
  exports io.jgloo.transport.library to
      io.jgloo.ibverbs,
      io.jgloo,
      io.jgloo.rendezvous,
      io.jgloo.rpc;
  exports io.jgloo.transport.memory to
      io.jgloo,
      io.jgloo.djl,
      io.jgloo.ibverbs,
      io.jgloo.lightgbm,
      io.jgloo.onnxruntime,
      io.jgloo.ps,
      io.jgloo.rendezvous,
      io.jgloo.rpc,
      io.jgloo.testkit;
  exports io.jgloo.transport.tcp to
      io.jgloo.ibverbs,
      io.jgloo.testkit;
  exports io.jgloo.transport.tcp.socket to
      io.jgloo.testkit;
  exports io.jgloo.transport.tls to
      io.jgloo.rendezvous;

  uses io.jgloo.transport.DeviceProvider;

  provides io.jgloo.transport.DeviceProvider with
      io.jgloo.transport.tcp.TcpProvider;
}
