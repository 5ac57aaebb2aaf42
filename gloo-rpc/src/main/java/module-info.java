/** Calls functions that other processes have registered. */
module io.jgloo.rpc {
  requires jdk.jfr;
  requires transitive io.jgloo.rendezvous;

  exports io.jgloo.rpc;
  exports io.jgloo.rpc.agent;
  exports io.jgloo.rpc.codec;
  exports io.jgloo.rpc.message;
  exports io.jgloo.rpc.rref;
}
