package io.jgloo.rendezvous.store.redis;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.ClosedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A store in a Redis server, with the keys and values of C++ Gloo's RedisStore.
 *
 * <p>The server outlives the job: the keys of a run stay for the next one, unless its groups have
 * other names. Waiting is polling, with pauses from 1 to 20 ms (Gloo: 10 ms).
 *
 * <p>Needs {@code redis.clients:jedis} on the class path, which is not a dependency of the library.
 *
 * <p>Owns: a pool of up to 16 connections.
 */
public final class RedisStore implements Store {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long CONNECT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final byte[] EXCHANGE =
      ascii(
          """
          local old = redis.call('GET', KEYS[1])
          if not old then
            if ARGV[1] ~= '' then return ARGV[1] end
          elseif old ~= ARGV[1] then
            return old
          end
          redis.call('SET', KEYS[1], ARGV[2])
          return ARGV[2]
          """);

  private static final byte[] APPEND =
      ascii(
          """
          if redis.call('STRLEN', KEYS[1]) + #ARGV[1] > tonumber(ARGV[2]) then return 0 end
          redis.call('APPEND', KEYS[1], ARGV[1])
          return 1
          """);

  private final HostPort server;
  private final Duration timeout;
  private final RedisClient client;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * The store at {@code redis://[user:password@]host[:port][/database]}, or {@code rediss://} for
   * TLS.
   *
   * @param timeout the store's, and how long to try to connect
   * @throws StoreUnavailableException if no server answers there in time
   */
  public RedisStore(String url, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    this.timeout = timeout;
    RedisAddress address = RedisAddress.parse(url);
    server = address.server();
    client = address.open(timeout);
    boolean connected = false;
    try {
      connect(deadline);
      connected = true;
    } finally {
      if (!connected) {
        client.close();
      }
    }
  }

  private void connect(Deadline deadline) {
    while (true) {
      try {
        String pong = redis("connect", RedisClient::ping);
        assert pong != null;
        return;
      } catch (StoreUnavailableException e) {
        if (deadline.passed()) {
          throw e;
        }
        pause(Math.min(CONNECT_PAUSE_NANOS, Math.max(1, deadline.remainingNanos())));
      }
    }
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public void set(String key, byte[] value) {
    byte[] name = StoreKeys.encode(key);
    StoreKeys.requireValue(value);
    redis("set", redis -> redis.set(name, value));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return multiGet(List.of(StoreKeys.require(key)), timeout).get(0);
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    poll(wanted, timeout, () -> check(wanted) ? wanted : null);
  }

  @Override
  public long add(String key, long delta) {
    byte[] name = StoreKeys.encode(key);
    try {
      return redis("add", redis -> redis.incrBy(name, delta));
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (StoreException e) {
      return addToText(key, name, delta); // blanks, junk behind the digits, or an overflow
    }
  }

  private long addToText(String key, byte[] name, long delta) {
    while (true) {
      byte[] old = redis("add", redis -> redis.get(name));
      long sum = StoreKeys.sum(key, old, delta);
      byte[] fresh = StoreKeys.text(sum);
      byte[] expected = old == null ? new byte[0] : old;
      byte[] current = exchange("add", name, expected, fresh);
      if (java.util.Arrays.equals(current, fresh)) {
        return sum;
      }
    }
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    byte[] name = StoreKeys.encode(key);
    StoreKeys.requireValue(expected);
    StoreKeys.requireValue(desired);
    return exchange("compareSet", name, expected, desired);
  }

  private byte[] exchange(String what, byte[] name, byte[] expected, byte[] desired) {
    Object current = redis(what, redis -> redis.eval(EXCHANGE, 1, name, expected, desired));
    return (byte[]) current;
  }

  @Override
  public boolean deleteKey(String key) {
    byte[] name = StoreKeys.encode(key);
    return redis("deleteKey", redis -> redis.del(name)) > 0;
  }

  @Override
  public boolean check(Collection<String> keys) {
    byte[][] names = names(StoreKeys.requireAll(keys));
    // A key that is named twice counts twice, here as there.
    return redis("check", redis -> names.length == 0 || redis.exists(names) == names.length);
  }

  @Override
  public void append(String key, byte[] value) {
    byte[] name = StoreKeys.encode(key);
    StoreKeys.requireValue(value);
    byte[] most = ascii(Integer.toString(MAX_VALUE_BYTES));
    if (redis("append", redis -> redis.eval(APPEND, 1, name, value, most)).equals(0L)) {
      throw new StoreException("append makes '" + StoreKeys.shown(key) + "' too long");
    }
  }

  /** {@inheritDoc} All at one instant. */
  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    byte[][] names = names(wanted);
    if (names.length == 0) {
      requireOpen();
      return List.of();
    }
    return poll(wanted, timeout, () -> values(names));
  }

  /** The values, {@code null} if one is missing. */
  private List<byte[]> values(byte[][] names) {
    List<byte[]> values = redis("get", redis -> redis.mget(names));
    return values.contains(null) ? null : values;
  }

  @Override
  public void close() {
    closed.countDown();
    client.close();
  }

  @Override
  public String toString() {
    return "RedisStore[" + server + "]";
  }

  /** One poll; {@code null} if there is no result yet. */
  private interface Look<T> {
    T look();
  }

  private <T> T poll(List<String> keys, Duration timeout, Look<T> look) {
    Deadline deadline = Deadline.after(timeout);
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (true) {
      T found = look.look();
      if (found != null) {
        return found;
      }
      long leftNanos = deadline.remainingNanos();
      if (leftNanos <= 0) {
        throw new StoreTimeoutException(timeout, missing(keys));
      }
      pause(Math.min(pauseNanos, leftNanos));
      pauseNanos = Math.min(pauseNanos * 3 / 2, LONGEST_PAUSE_NANOS);
    }
  }

  private List<String> missing(List<String> keys) {
    List<String> missing = new ArrayList<>();
    for (String key : keys) {
      if (!check(List.of(key))) {
        missing.add(key);
      }
    }
    return missing.isEmpty() ? keys : missing; // they were set after the deadline
  }

  private void pause(long nanos) {
    try {
      if (closed.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new ClosedException(this + " is closed");
      }
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for keys of " + this, e);
    }
  }

  private void requireOpen() {
    if (closed.getCount() == 0) {
      throw new ClosedException(this + " is closed");
    }
  }

  private <T> T redis(String what, Function<RedisClient, T> command) {
    requireOpen();
    try {
      return command.apply(client);
    } catch (JedisDataException e) {
      throw new StoreException(this + " refuses " + what + ": " + e.getMessage(), e);
    } catch (JedisConnectionException e) {
      requireOpen();
      throw new StoreUnavailableException(this + " was lost during " + what + ": " + e, e);
    } catch (JedisException | IllegalStateException e) {
      requireOpen(); // otherwise the pool's exception
      if (e.getCause() instanceof InterruptedException) {
        throw Interruption.during(what + " at " + this, e);
      }
      throw new StoreException(this + " failed at " + what + ": " + e, e);
    }
  }

  private static byte[][] names(List<String> keys) {
    return keys.stream().map(StoreKeys::encode).toArray(byte[][]::new);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
