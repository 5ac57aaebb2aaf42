package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.rendezvous.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client of a server that speaks PyTorch's store protocol, ours or PyTorch's.
 *
 * <p>{@link #serve} is for the rank that serves (by custom rank 0), {@link #connect} for all
 * others, which may start first and retry until their timeout.
 *
 * <p>Unlike PyTorch's client, a call returns when the server has executed it (PyTorch's {@code set}
 * does not wait for that), a blocking {@link #queuePop} takes an element or times out, and {@link
 * #get} never mistakes a deleted key for an empty value.
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
  private final StoreReads reads;
  private final StoreWaits waits;
  private final StoreWorkers workers;
  private final StoreBarrier barriers;
  private final AtomicInteger joins = new AtomicInteger();

  private TcpStoreClient(
      HostPort local, HostPort address, Duration timeout, StoreServer server, StoreGuard guard) {
    this.address = address;
    this.timeout = timeout;
    this.server = server;
    pool = new StoreConnectionPool(local, guard, Deadline.after(timeout));
    reads = new StoreReads(pool, timeout);
    waits = new StoreWaits(pool, timeout);
    workers = new StoreWorkers(pool, timeout);
    barriers = new StoreBarrier(pool);
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
      String host, InetSocketAddress bind, Duration timeout, TcpStoreLimits limits) {
    return serve(host, bind, timeout, limits, StoreCredentials.NONE);
  }

  /** The same with credentials, by which clients must authenticate themselves. */
  public static TcpStoreClient serve(
      String host,
      InetSocketAddress bind,
      Duration timeout,
      TcpStoreLimits limits,
      StoreCredentials credentials) {
    return serve(host, List.of(bind), timeout, limits, credentials);
  }

  private static TcpStoreClient serve(
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

  @Override
  public long joinWorkers() {
    long count = workers.add(1);
    joins.incrementAndGet();
    return count;
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
      workers.add(count, deadline);
      joins.set(1); // of one call
    }
  }

  @Override
  public void awaitWorkers(int count, Duration timeout) {
    workers.await(count, timeout);
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
      throw reads.refused(key, e, deadline.orAtLeast(EXPLANATION));
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
  public long numKeys() {
    return ask("numKeys", request(StoreOpcode.GET_NUM_KEYS), StoreConnection::readNumber);
  }

  /** {@inheritDoc} Keys without the leading slash of the protocol's clients are left out. */
  @Override
  public List<String> listKeys() {
    return ask(
        "listKeys",
        request(StoreOpcode.LIST_KEYS),
        (connection, deadline) -> {
          long count = connection.readNumber(deadline);
          List<String> keys = new ArrayList<>();
          for (long i = 0; i < count; i++) {
            String key = new String(connection.readValue(deadline), StandardCharsets.UTF_8);
            if (key.startsWith("/")) {
              keys.add(key.substring(1));
            }
          }
          return keys;
        });
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
      List<byte[]> values = reads.valuesNow(wanted, answer);
      if (values != null) {
        return values;
      }
      waits.await(wanted, deadline, timeout);
    }
  }

  /** {@inheritDoc} The entries become visible together. */
  @Override
  public void multiSet(Map<String, byte[]> entries) {
    StoreKeys.requireAll(entries.keySet());
    StoreRequestBuffer request = request(StoreOpcode.MULTI_SET).number(entries.size());
    entries.forEach((key, value) -> request.key(key).value(StoreKeys.requireValue(value)));
    send("multiSet", request);
  }

  @Override
  public void queuePush(String key, byte[] value) {
    StoreKeys.requireValue(value);
    requireQueues();
    send("queuePush", request(StoreOpcode.QUEUE_PUSH).key(key).value(value));
  }

  @Override
  public byte[] queuePop(String key, Duration timeout) {
    StoreKeys.require(key);
    requireQueues();
    Deadline deadline = Deadline.after(timeout);
    while (true) {
      byte[] value =
          ask(
              "queuePop",
              request(StoreOpcode.QUEUE_POP).key(key),
              (connection, bound) ->
                  connection.readNumber(bound) > 0 ? connection.readValue(bound) : null);
      if (value != null) {
        return value;
      }
      if (check(List.of(key)) && queueLen(key) == 0 && reads.current(key) != null) {
        throw StoreKeys.notAQueue(key);
      }
      waits.await(List.of(key), deadline, timeout); // then retry: another caller may be faster
    }
  }

  @Override
  public long queueLen(String key) {
    requireQueues();
    return reads.queueLen(key);
  }

  /**
   * {@inheritDoc} Servers from after PyTorch 2.10, ours among them, do it themselves and count at
   * {@code key} itself; all callers on other servers count at {@code key/num_members}.
   */
  @Override
  public void barrier(String key, int callers, Duration timeout) {
    StoreKeys.require(key);
    if (barriers.isKnown(this.timeout)) {
      barriers.pass(key, callers, timeout);
    } else {
      TcpStore.super.barrier(key, callers, timeout);
    }
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

  private void requireQueues() {
    if (!pool.dialect().queues()) {
      throw new UnsupportedOperationException("the server of " + this + " has no queues");
    }
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
