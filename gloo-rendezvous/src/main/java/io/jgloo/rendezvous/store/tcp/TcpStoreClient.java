package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rendezvous.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client of a server that speaks PyTorch's store protocol, ours or PyTorch's.
 *
 * <p>{@link #serve} is for the rank that serves (by custom rank 0), {@link #connect} for all
 * others, which may start first and retry until their timeout.
 *
 * <p>Unlike PyTorch's client, a call returns when the server has executed it (PyTorch's {@code set}
 * does not wait for that), and {@link #get} never mistakes a deleted key for an empty value.
 *
 * <p>Owns: its connections, one per call in progress, and, from {@link #serve}, the server: closing
 * that handle ends the store for all clients.
 *
 * <p>Fails: once the server is lost, every call fails with {@link StoreUnavailableException}, and a
 * new server at the same address is not used, unless a join that has not ended connects again.
 */
public final class TcpStoreClient implements TcpStore {
  /** The least time for finding the reason why the server closed a connection. */
  private static final Duration EXPLANATION = Duration.ofSeconds(2);

  private final HostPort address;
  private final Duration timeout;
  private final StoreServer server;
  private final StoreConnectionPool pool;
  private final StoreWaits waits;
  private final AtomicInteger joins = new AtomicInteger();

  private TcpStoreClient(
      HostPort local, HostPort address, Duration timeout, StoreServer server, StoreGuard guard) {
    this.address = address;
    this.timeout = timeout;
    this.server = server;
    pool = new StoreConnectionPool(local, guard, Deadline.after(timeout));
    waits = new StoreWaits(pool, timeout);
  }

  /**
   * A client of the server at {@code host:port}, connected.
   *
   * @param timeout the store's, and how long to try to connect
   * @throws StoreUnavailableException if no server answers there in time
   */
  public static TcpStoreClient connect(String host, int port, Duration timeout) {
    return connect(host, port, timeout, StoreCredentials.NONE);
  }

  /**
   * The same with credentials, by which server and client authenticate each other.
   *
   * @throws io.jgloo.transport.AuthenticationException if one of them does not accept the other
   * @throws IllegalArgumentException if a file for TLS cannot be used
   */
  public static TcpStoreClient connect(
      String host, int port, Duration timeout, StoreCredentials credentials) {
    HostPort address = new HostPort(host, port);
    return new TcpStoreClient(address, address, timeout, null, StoreGuard.of(credentials));
  }

  /**
   * Starts a server and a client of it. It listens on {@code host} if that is an address of this
   * machine; on all addresses if it is a name that leads elsewhere (a service's) or to the loopback
   * (which other machines cannot reach), with a log line.
   *
   * @param host the name or address at which clients reach it, see {@link #host()}
   * @param port 0 for one that the system chooses, see {@link #port()}
   * @throws StoreUnavailableException if the port is in use
   */
  public static TcpStoreClient serve(String host, int port, Duration timeout) {
    return serve(host, port, timeout, StoreCredentials.NONE);
  }

  /** The same with credentials, by which clients must authenticate themselves. */
  public static TcpStoreClient serve(
      String host, int port, Duration timeout, StoreCredentials credentials) {
    List<InetSocketAddress> bind =
        BindAddress.of(new HostPort(host, port), credentials.authenticate());
    return serve(host, bind, timeout, TcpStoreLimits.DEFAULT, credentials);
  }

  /**
   * Starts a server and a client of it, with the address it listens on apart from the one at which
   * clients reach it.
   */
  public static TcpStoreClient serve(
      String host, InetSocketAddress bind, Duration timeout, StoreCredentials credentials) {
    return serve(host, List.of(bind), timeout, TcpStoreLimits.DEFAULT, credentials);
  }

  static TcpStoreClient serve(
      String host,
      List<InetSocketAddress> bind,
      Duration timeout,
      TcpStoreLimits limits,
      StoreCredentials credentials) {
    HostPort wanted = new HostPort(host, bind.get(0).getPort());
    Deadline.after(timeout); // refuses an invalid timeout before the server is started
    StoreGuard guard = StoreGuard.of(credentials);
    StoreServer server = StoreServer.start(bind, limits, guard);
    try {
      HostPort local = BindAddress.reachable(server.address());
      HostPort reached = new HostPort(wanted.host(), server.port());
      return new TcpStoreClient(local, reached, timeout, server, guard);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public String host() {
    return address.host();
  }

  @Override
  public int port() {
    return address.port();
  }

  @Override
  public boolean isServer() {
    return server != null;
  }

  /** Whether other clients are connected; only at the handle that serves. */
  public boolean hasOtherClients() {
    return server.clients() > pool.size();
  }

  /** Clients that did not prove to be of the job; only at the handle that serves. */
  public long unauthenticatedClients() {
    return server.unauthenticatedClients();
  }

  /**
   * Counts one more process, as every process of a PyTorch job does whose size is known: its server
   * waits in its constructor until all have. The count is kept under {@code init/}, the only key
   * without a slash before it.
   */
  public void joinWorkers() {
    join(1, Deadline.after(timeout));
    joins.incrementAndGet();
  }

  private void join(long count, Deadline deadline) {
    StoreRequestBuffer request = request(StoreOpcode.ADD).rawKey("init/").number(count);
    long unused = pool.ask("join", request, deadline, StoreConnection::readNumber);
  }

  /** Whether nothing was read or written through this handle yet but {@link #joinWorkers}. */
  public boolean isUnused() {
    return pool.calls() == joins.get();
  }

  /** Whether the server of this handle, a client, is lost. */
  public boolean isLost() {
    return server == null && pool.isLost();
  }

  /**
   * Connects to the server that follows the lost one at its address, which may be empty.
   *
   * @throws StoreUnavailableException if there is none by the deadline, or it is lost at once
   */
  public void reconnect(Deadline deadline) {
    pool.reconnect(deadline);
    int count = joins.get();
    if (count > 0) {
      join(count, deadline);
      joins.set(1); // of one call
    }
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public void set(String key, byte[] value) {
    StoreKeys.requireValue(value);
    send("set", request(StoreOpcode.SET).key(key).value(value));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return multiGet(List.of(StoreKeys.require(key)), timeout).get(0);
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    waits.await(wanted, Deadline.after(timeout), timeout);
  }

  @Override
  public boolean await(Collection<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    return waits.reached(wanted, Deadline.after(timeout), timeout);
  }

  @Override
  public long add(String key, long delta) {
    StoreRequestBuffer request = request(StoreOpcode.ADD).key(key).number(delta);
    Deadline deadline = Deadline.after(timeout);
    try {
      return pool.attempt(
          "add",
          deadline,
          connection -> {
            connection.send(request, deadline);
            return connection.readNumber(deadline);
          });
    } catch (IOException e) {
      throw refused(key, e, deadline.orAtLeast(EXPLANATION));
    }
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    StoreKeys.requireValue(expected);
    StoreKeys.requireValue(desired);
    StoreRequestBuffer request =
        request(StoreOpcode.COMPARE_SET).key(key).value(expected).value(desired);
    return ask("compareSet", request, StoreConnection::readValue);
  }

  @Override
  public boolean deleteKey(String key) {
    return ask("deleteKey", request(StoreOpcode.DELETE_KEY).key(key), StoreConnection::readNumber)
        > 0;
  }

  @Override
  public boolean check(Collection<String> keys) {
    StoreRequestBuffer request = request(StoreOpcode.CHECK).keys(StoreKeys.requireAll(keys));
    return ask("check", request, StoreConnection::readByte) == StoreOpcode.READY;
  }

  @Override
  public void append(String key, byte[] value) {
    StoreKeys.requireValue(value);
    send("append", request(StoreOpcode.APPEND).key(key).value(value));
  }

  /**
   * {@inheritDoc} The values are those of one instant, unless one is empty and was just deleted.
   */
  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    Deadline deadline = Deadline.after(timeout);
    while (true) {
      Deadline answer =
          timeout.isZero() ? Deadline.after(this.timeout) : deadline.orAtLeast(StoreWaits.GRACE);
      List<byte[]> values = valuesNow(wanted, answer);
      if (values != null) {
        return values;
      }
      waits.await(wanted, deadline, timeout);
    }
  }

  /**
   * All the values, {@code null} if a key is missing.
   *
   * @param deadline of the server's answer
   */
  private List<byte[]> valuesNow(List<String> keys, Deadline deadline) {
    if (!pool.dialect().answersMissing()) {
      List<byte[]> current = currentOrNull(keys, deadline);
      return current.contains(null) ? null : current;
    }
    StoreRequestBuffer request =
        new StoreRequestBuffer()
            .opcode(StoreOpcode.CHECK)
            .keys(keys)
            .opcode(StoreOpcode.MULTI_GET)
            .keys(keys);
    List<byte[]> values =
        pool.ask(
            "get",
            request,
            deadline,
            (connection, bound) -> {
              boolean all = connection.readByte(bound) == StoreOpcode.READY;
              List<byte[]> read = readValues(connection, keys.size(), bound);
              return all ? read : null;
            });
    return values == null || allAreThere(keys, values) ? values : null;
  }

  /**
   * Whether no key was deleted between the two questions: an empty answer may mean an empty value
   * or a key that is not there.
   */
  private boolean allAreThere(List<String> keys, List<byte[]> values) {
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i).length == 0) {
        String key = keys.get(i);
        byte[] current = currentOrNull(List.of(key), Deadline.after(timeout)).get(0);
        if (current == null && queueLen(key) > 0) {
          throw new StoreException("'" + StoreKeys.shown(key) + "' is a queue, not a value");
        }
        if (current == null) {
          return false;
        }
        values.set(i, current);
      }
    }
    return true;
  }

  /**
   * The values, {@code null} for keys that are missing. A compareSet from and to a random value
   * finds out: it changes nothing, and returns that value only if the key is missing.
   */
  private List<byte[]> currentOrNull(List<String> keys, Deadline deadline) {
    byte[] nonce = new byte[16];
    ThreadLocalRandom.current().nextBytes(nonce);
    StoreRequestBuffer request = new StoreRequestBuffer();
    keys.forEach(key -> request.opcode(StoreOpcode.COMPARE_SET).key(key).value(nonce).value(nonce));
    List<byte[]> values =
        pool.ask(
            "get",
            request,
            deadline,
            (connection, bound) -> readValues(connection, keys.size(), bound));
    values.replaceAll(value -> Arrays.equals(value, nonce) ? null : value);
    return values;
  }

  private static List<byte[]> readValues(StoreConnection connection, int count, Deadline deadline)
      throws IOException {
    List<byte[]> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(connection.readValue(deadline));
    }
    return values;
  }

  /** The reason of a lost connection during an add: a value that is no number, or a lost server. */
  private StoreException refused(String key, IOException lost, Deadline deadline) {
    try {
      byte[] current = currentOrNull(List.of(key), deadline).get(0);
      StoreKeys.sum(key, current, 0);
    } catch (StoreUnavailableException e) {
      lost.addSuppressed(e);
    } catch (StoreException e) {
      return e;
    }
    return pool.lose("add", lost);
  }

  private long queueLen(String key) {
    return ask("get", request(StoreOpcode.QUEUE_LEN).key(key), StoreConnection::readNumber);
  }

  @Override
  public void close() {
    pool.close();
    if (server != null) {
      server.close();
    }
  }

  @Override
  public String toString() {
    return "TcpStore[" + (server == null ? "client of " : "server at ") + address + "]";
  }

  private static StoreRequestBuffer request(StoreOpcode opcode) {
    return new StoreRequestBuffer().opcode(opcode);
  }

  /** Sends a request and reads its answer, both within the store's timeout. */
  private <T> T ask(String what, StoreRequestBuffer request, StoreConnectionPool.Answer<T> answer) {
    return pool.ask(what, request, Deadline.after(timeout), answer);
  }

  /** Sends a request that has no reply, and a second one whose reply confirms both. */
  private void send(String what, StoreRequestBuffer request) {
    ask(what, request.opcode(StoreOpcode.GET_NUM_KEYS), StoreConnection::readNumber);
  }
}
