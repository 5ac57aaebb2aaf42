/** Where ranks meet. */
module io.jgloo.rendezvous {
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires transitive io.jgloo.transport;

  exports io.jgloo.rendezvous;
}
