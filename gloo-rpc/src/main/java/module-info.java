/** Calls functions that other processes have registered. */
@SuppressWarnings("module") // io.jgloo.ps is compiled later
module io.jgloo.rpc {
  requires jdk.jfr;
  requires transitive io.jgloo.rendezvous;

  exports io.jgloo.rpc;
  exports io.jgloo.rpc.agent;
  exports io.jgloo.rpc.codec;
  exports io.jgloo.rpc.message to
      io.jgloo.ps;
}
