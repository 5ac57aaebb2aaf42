package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.ClosedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Connects to a store server that may not be started yet: resolves the name, connects and performs
 * the handshake until it succeeds or the deadline passes.
 *
 * <p>Each attempt resolves the name anew (a service's name may appear later than its clients) and
 * tries all addresses, families alternating, so that a family without a route costs only the share
 * of one address. The pause between attempts grows from 20 ms by 1.5 to 1 s, plus or minus a half
 * at random, so that thousands of ranks do not connect at the same time. (PyTorch begins at 500 ms,
 * which is most of the start-up time of a small job.)
 *
 * <p>The first connection finds out the server's dialect, see {@link StoreDialect}: if the server
 * closes the connection, a smaller dialect is tried at once.
 *
 * <p>Threads: any.
 */
final class StoreConnector {
  private static final double FIRST_PAUSE_MILLIS = 20;
  private static final double LONGEST_PAUSE_MILLIS = 1000;
  private static final double PAUSE_GROWTH = 1.5;
  private static final Duration LEAST_PER_ADDRESS = Duration.ofMillis(250);
  private static final Duration LONGEST_QUESTION = Duration.ofSeconds(2);

  private final HostPort server;
  private final CountDownLatch closed;
  private final StoreGuard guard;
  private volatile StoreDialect dialect = StoreDialect.UNKNOWN;
  private volatile InetSocketAddress found;

  /**
   * A connector to one server.
   *
   * @param closed ends all tries when it is counted down
   * @param guard by what the server must authenticate itself
   */
  StoreConnector(HostPort server, CountDownLatch closed, StoreGuard guard) {
    this.guard = guard;
    this.server = server;
    this.closed = closed;
  }

  /**
   * A connection after the handshake. The first one decides the address of the server; later ones
   * use that address alone, and fail at once when it refuses them, because the server has ended.
   *
   * @throws StoreUnavailableException if there is none by the deadline
   * @throws AuthenticationException if the server is of another job, or only one side has a secret
   *     or TLS
   */
  StoreConnection connect(Deadline deadline) {
    long startNanos = System.nanoTime();
    double pauseMillis = FIRST_PAUSE_MILLIS;
    Attempt attempt = new Attempt();
    for (int tries = 1; ; tries++) {
      StoreConnection connection = attempt.run(deadline);
      if (connection != null) {
        return connection;
      }
      boolean ended = found != null && attempt.failure instanceof ConnectException;
      double jitter = 0.5 + ThreadLocalRandom.current().nextDouble();
      long pauseNanos = (long) (pauseMillis * jitter * 1e6);
      if (ended || deadline.remainingNanos() <= pauseNanos) {
        if (attempt.unanswered != null) {
          throw new AuthenticationException(
              "store at " + server + ": " + attempt.unanswered.getMessage(), attempt.unanswered);
        }
        long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        throw new StoreUnavailableException(
            String.format(
                "no store at %s after %d attempts in %d ms, addresses %s: %s;"
                    + " rank 0 serves the store, unless the URL has ?serve=no",
                server, tries, elapsedMillis, attempt.addresses, attempt.seen()),
            attempt.failure);
      }
      pause(pauseNanos);
      pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * PAUSE_GROWTH);
    }
  }

  /** Forgets what is known of the server: another one may follow it. */
  void forget() {
    found = null;
    dialect = StoreDialect.UNKNOWN;
  }

  /** The dialect of the server, from the first connection. */
  StoreDialect dialect() {
    return dialect;
  }

  private void pause(long nanos) {
    try {
      if (closed.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new ClosedException("store at " + server + " is closed");
      }
    } catch (InterruptedException e) {
      throw Interruption.during("connecting to " + server, e);
    }
  }

  /** The addresses with families alternating, beginning with the system's first choice. */
  static List<InetAddress> alternated(List<InetAddress> resolved) {
    Deque<InetAddress> first = new ArrayDeque<>();
    Deque<InetAddress> second = new ArrayDeque<>();
    for (InetAddress address : resolved) {
      boolean sameFamily =
          (address instanceof Inet6Address) == (resolved.get(0) instanceof Inet6Address);
      (sameFamily ? first : second).add(address);
    }
    List<InetAddress> all = new ArrayList<>();
    while (all.size() < resolved.size()) {
      all.addAll(first.isEmpty() ? List.of() : List.of(first.remove()));
      all.addAll(second.isEmpty() ? List.of() : List.of(second.remove()));
    }
    return all;
  }

  /** One attempt at every address, and the last failure. */
  private final class Attempt {
    private List<InetAddress> addresses = List.of();
    private IOException failure;
    private StoreProof.UnansweredException unanswered; // the last of these
    private boolean opened; // the last connection, by a server that may be another

    /** The last failure in words. */
    String seen() {
      if (!(failure instanceof SocketTimeoutException)) {
        return opened
            ? "a server accepted the connection, but " + failure.getMessage()
            : "" + failure;
      }
      return opened
          ? "a server accepted the connection, but does not answer as a store"
          : "no answer; the host may be down, or a firewall may drop the packets";
    }

    StoreConnection run(Deadline deadline) {
      InetSocketAddress known = found;
      try {
        if (known != null) {
          addresses = List.of(known.getAddress());
          return connect(known, deadline);
        }
        addresses = alternated(Arrays.asList(InetAddress.getAllByName(server.host())));
      } catch (IOException e) {
        failure = e;
        return null;
      }
      for (int i = 0; i < addresses.size(); i++) {
        long shareNanos = Math.max(0, deadline.remainingNanos()) / (addresses.size() - i);
        Duration share = Duration.ofNanos(shareNanos);
        Deadline mine = share.compareTo(LEAST_PER_ADDRESS) < 0 ? deadline : Deadline.after(share);
        try {
          InetSocketAddress address = new InetSocketAddress(addresses.get(i), server.port());
          StoreConnection connection = connect(address, mine);
          found = address;
          return connection;
        } catch (IOException e) {
          failure = e;
        }
      }
      return null;
    }

    /** Connects with smaller dialects until the server keeps the connection open. */
    private StoreConnection connect(InetSocketAddress address, Deadline deadline)
        throws IOException {
      StoreDialect tried = dialect;
      while (true) {
        opened = false;
        StoreConnection connection = StoreConnection.open(address, deadline);
        opened = true;
        StoreDialect.Greeting greeting = tried.greeting();
        boolean secured = false;
        try {
          if (guard.tls() != null) {
            connection.secure(guard.tls(), deadline);
            secured = true;
          }
          if (guard.proof() != null) {
            guard.proof().exchange(connection, deadline);
          }
          greeting.exchange(connection, deadline);
          dialect = greeting.understood();
          return connection;
        } catch (StoreProof.UnansweredException e) {
          connection.close();
          unanswered = e;
          requireGuarded(address, secured, deadline);
          throw e;
        } catch (StoreProtocolException | SocketTimeoutException | RuntimeException e) {
          connection.close();
          throw e;
        } catch (IOException e) {
          connection.close();
          if (greeting.lesser() == null) {
            throw e;
          }
          tried = greeting.lesser();
        }
      }
    }

    /**
     * Asks a server that has closed the connection whether it serves processes that prove nothing:
     * it will not change. It is told nothing of the job.
     *
     * @param secured whether the handshake of TLS had succeeded
     */
    private void requireGuarded(InetSocketAddress address, boolean secured, Deadline deadline) {
      Duration left = deadline.remaining();
      Deadline mine =
          left.compareTo(LONGEST_QUESTION) < 0 ? deadline : Deadline.after(LONGEST_QUESTION);
      try (StoreConnection open = StoreConnection.open(address, mine)) {
        if (secured) {
          open.secure(guard.tls(), mine);
        }
        StoreDialect.UNKNOWN.greeting().exchange(open, mine);
      } catch (IOException | AuthenticationException e) {
        return; // it ended for another reason
      }
      boolean plain = guard.tls() != null && !secured;
      throw new AuthenticationException(
          ("the store at " + server)
              + (plain
                  ? " does not use TLS, but this process does"
                  : " has no job secret, but this process has one")
              + "; for a server such as PyTorch's add ?auth=no to its URL");
    }
  }
}
