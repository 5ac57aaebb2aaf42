/** Calls functions that other processes have registered. */
module io.jgloo.rpc {
  requires transitive io.jgloo.rendezvous;
  requires jdk.jfr;

  exports io.jgloo.rpc;
  exports io.jgloo.rpc.codec;
  exports io.jgloo.rpc.message;
  exports io.jgloo.rpc.rref;
}
