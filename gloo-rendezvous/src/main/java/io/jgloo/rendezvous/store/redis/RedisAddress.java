package io.jgloo.rendezvous.store.redis;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUrl;
import io.jgloo.rendezvous.time.Deadline;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.util.JedisURIHelper;

/** The address of a Redis server, from its URL. */
record RedisAddress(URI uri, HostPort server) {
  private static final int DEFAULT_PORT = 6379;
  private static final int CONNECTIONS = 16;
  private static final int CONNECT_MILLIS = 2000; // as C++ Gloo
  private static final int LONGEST_ANSWER_MILLIS = 60_000;

  static RedisAddress parse(String url) {
    try {
      URI uri = new URI(url);
      boolean known = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme());
      if (known && uri.getHost() != null && uri.getQuery() == null) {
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        JedisURIHelper.getDBIndex(uri); // refuses an invalid number
        return new RedisAddress(uri, new HostPort(uri.getHost(), port));
      }
    } catch (URISyntaxException | NumberFormatException e) {
      throw refused(url); // without the cause, as its message contains the password
    }
    throw refused(url);
  }

  private static IllegalArgumentException refused(String url) {
    return new IllegalArgumentException(
        "store URL must be redis://[user:password@]host[:port][/database], is "
            + StoreUrl.masked(url));
  }

  @Override
  public String toString() {
    return StoreUrl.masked(uri.toString());
  }

  RedisClient open(Duration timeout) {
    long answerMillis = Math.min(LONGEST_ANSWER_MILLIS, Math.max(1, Deadline.millis(timeout)));
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(CONNECT_MILLIS)
            .socketTimeoutMillis((int) answerMillis)
            .user(JedisURIHelper.getUser(uri))
            .password(JedisURIHelper.getPassword(uri))
            .database(JedisURIHelper.getDBIndex(uri));
    if (JedisURIHelper.isRedisSSLScheme(uri)) {
      config.sslOptions(SslOptions.defaults());
    }
    GenericObjectPoolConfig<Connection> pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setJmxEnabled(false);
    return RedisClient.builder()
        .hostAndPort(new HostAndPort(server.host(), server.port()))
        .clientConfig(config.build())
        .poolConfig(pool)
        .build();
  }
}
