/** Bytes, slots and peers. */
module io.jgloo.transport {
  requires com.sun.jna;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
}
