/** Connects ranks through a store. */
// Jedis is an automatic module, named by its manifest; it is needed only where RedisStore is
// used. The modules that join is exported to are compiled later.
@SuppressWarnings({"requires-automatic", "module"})
module io.jgloo.rendezvous {
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires jdk.management;
  requires static jdk.jfr;
  requires static org.apache.commons.pool2;
  requires static redis.clients.jedis;
  requires static transitive org.jspecify;
  requires transitive io.jgloo.transport;

  exports io.jgloo.rendezvous;
  exports io.jgloo.rendezvous.join to
      io.jgloo.ps,
      io.jgloo.rpc;
  exports io.jgloo.rendezvous.store;

  uses io.jgloo.rendezvous.store.StoreProvider;
}
