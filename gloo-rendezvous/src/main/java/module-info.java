/** Where ranks meet. */
module io.jgloo.rendezvous {
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires transitive io.jgloo.transport;
}
