package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.ClosedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * The connections of one client, one for each call in progress, so that a waiting call does not
 * block others.
 *
 * <p>Rejected alternative: one connection for all calls. The protocol has no request numbers and
 * allows one wait at a time. A call ends with the server's reply, so the next call sees its effect
 * on any connection.
 *
 * <p>A lost server stays lost for this client, even if a new one, empty, is started at its address:
 * ranks would read different values. So the first connection that the server closes ends the
 * client, except that the caller may find the reason of a single refused request, and that a join
 * which begins anew may {@link #reconnect}.
 *
 * <p>Threads: any. Owns: the connections.
 */
final class StoreConnectionPool implements AutoCloseable {
  /** What a call does with its connection. */
  interface Exchange<T> {
    T run(StoreConnection connection) throws IOException;
  }

  /** Reads one answer. */
  interface Answer<T> {
    T read(StoreConnection connection, Deadline deadline) throws IOException;
  }

  /** As many as threads may wait again soon: the ranks of a process that share a handle. */
  private static final int MOST_IDLE = 64;

  private final HostPort server;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final StoreConnector connector;
  private final Object reconnecting = new Object(); // one thread connects again

  // Guarded by this.
  private final Deque<StoreConnection> idle = new ArrayDeque<>();
  private final Set<StoreConnection> all = new HashSet<>();
  private StoreUnavailableException lost;
  private StoreUnavailableException lastLost; // which a reconnect has followed
  private long calls; // that have ended with a reply

  /**
   * A pool with its first connection made.
   *
   * @param guard by what the server must authenticate itself
   */
  StoreConnectionPool(HostPort server, StoreGuard guard, Deadline deadline) {
    this.server = server;
    connector = new StoreConnector(server, closed, guard);
    StoreConnection first = connector.connect(deadline);
    all.add(first);
    idle.push(first);
  }

  /**
   * Runs one exchange on a connection.
   *
   * @param what the call, for messages
   * @param deadline for a new connection, if one is needed
   * @throws StoreUnavailableException if the server is lost, or does not answer in time
   */
  <T> T call(String what, Deadline deadline, Exchange<T> exchange) {
    try {
      return attempt(what, deadline, exchange);
    } catch (IOException e) {
      throw lose(what, e);
    }
  }

  /** Sends a request and reads its answer, both by a deadline; as {@link #call}. */
  <T> T ask(String what, StoreRequestBuffer request, Deadline deadline, Answer<T> answer) {
    return call(
        what,
        deadline,
        connection -> {
          connection.send(request, deadline);
          return answer.read(connection, deadline);
        });
  }

  /**
   * As {@link #call}, but a lost connection is the caller's to explain, or to report to {@link
   * #lose}.
   */
  <T> T attempt(String what, Deadline deadline, Exchange<T> exchange) throws IOException {
    StoreConnection connection = borrow(deadline);
    boolean reusable = false;
    try {
      T result = exchange.run(connection);
      reusable = true;
      synchronized (this) {
        calls++;
      }
      return result;
    } catch (SocketTimeoutException e) {
      throw new StoreUnavailableException(
          "store at " + server + " does not answer by the deadline: " + what, e);
    } catch (IOException e) {
      requireUsable();
      requireCurrent(connection);
      throw e;
    } finally {
      release(connection, reusable);
    }
  }

  /**
   * Connects to the server that follows the lost one at its address; no effect if none is lost.
   *
   * @throws StoreUnavailableException if there is none by the deadline
   */
  void reconnect(Deadline deadline) {
    synchronized (reconnecting) {
      if (!isLost()) {
        return;
      }
      connector.forget();
      StoreConnection first = connector.connect(deadline);
      synchronized (this) {
        all.clear(); // these are closed
        idle.clear();
        lastLost = lost;
        lost = null;
      }
      release(added(first), true);
    }
  }

  /** Whether the server is lost. */
  synchronized boolean isLost() {
    return lost != null;
  }

  /** The number of calls that have ended with a reply. */
  synchronized long calls() {
    return calls;
  }

  /** Marks the server as lost and closes all connections. */
  StoreUnavailableException lose(String what, IOException cause) {
    List<StoreConnection> orphans;
    StoreUnavailableException reason;
    synchronized (this) {
      if (lost == null) {
        lost =
            new StoreUnavailableException(
                "store at " + server + " was lost during " + what + ": " + cause.getMessage(),
                cause);
      }
      reason = lost;
      orphans = List.copyOf(all);
    }
    orphans.forEach(StoreConnectionPool::closeQuietly); // wakes the other calls
    return new StoreUnavailableException(reason.getMessage(), reason);
  }

  /** The dialect of the server. */
  StoreDialect dialect() {
    return connector.dialect();
  }

  synchronized int size() {
    return all.size();
  }

  boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public void close() {
    List<StoreConnection> orphans;
    synchronized (this) {
      closed.countDown();
      orphans = List.copyOf(all);
    }
    orphans.forEach(StoreConnectionPool::closeQuietly);
  }

  private StoreConnection borrow(Deadline deadline) {
    StoreConnection connection;
    synchronized (this) {
      requireUsable();
      connection = idle.poll();
    }
    if (connection == null) {
      return added(connectMore(deadline));
    }
    if (connection.isQuiet()) {
      return connection;
    }
    release(connection, false);
    requireUsable(); // this client may have closed it
    throw lose("a pause", new IOException("the server closed an idle connection"));
  }

  /** A server that was reached before and refuses a connection has ended. */
  private StoreConnection connectMore(Deadline deadline) {
    try {
      return connector.connect(deadline);
    } catch (StoreUnavailableException e) {
      if (e.getCause() instanceof ConnectException refusal) {
        lose("a connect", refusal);
      }
      throw e;
    }
  }

  private StoreConnection added(StoreConnection connection) {
    synchronized (this) {
      if (lost == null && !isClosed()) {
        all.add(connection);
        return connection;
      }
    }
    closeQuietly(connection);
    requireUsable();
    throw new AssertionError("a pool that accepts no connection is closed or lost");
  }

  private void release(StoreConnection connection, boolean reusable) {
    synchronized (this) {
      if (reusable && lost == null && !isClosed() && idle.size() < MOST_IDLE) {
        idle.push(connection);
        return;
      }
      all.remove(connection);
    }
    closeQuietly(connection);
  }

  private synchronized void requireUsable() {
    if (isClosed()) {
      throw new ClosedException("store client of " + server + " is closed");
    }
    if (lost != null) {
      throw new StoreUnavailableException(lost.getMessage(), lost);
    }
  }

  /** Refuses the failure of a connection to a server that another one has followed. */
  private synchronized void requireCurrent(StoreConnection connection) {
    if (!all.contains(connection)) {
      throw new StoreUnavailableException(lastLost.getMessage(), lastLost);
    }
  }

  private static void closeQuietly(StoreConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // The descriptor is released all the same, and no caller uses the connection any more.
      System.getLogger(StoreConnectionPool.class.getName())
          .log(System.Logger.Level.DEBUG, "closing a store connection failed", e);
    }
  }
}
