package io.jgloo.rendezvous;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.join.StoreJoin;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.StoreProvider;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.StoreUrl;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rendezvous.store.file.FileLogStore;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.rendezvous.store.redis.RedisStore;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.rendezvous.time.Deadline;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores, by a URL or directly.
 *
 * <pre>
 *   file:///shared/dir      {@link #directory}; with ?format=gloo {@link #glooDirectory}, with
 *                           ?format=pytorch {@link #pytorchFile}
 *   tcp://host:port         {@link #serve} at rank 0, {@link #connect} at the other ranks; with
 *                           ?serve=no {@link #connect} at all ranks, to a server that is there;
 *                           with ?bind=address rank 0 listens there; ?auth=no: the server has
 *                           neither the job's secret nor TLS
 *   redis://host:port/db    keys and values in a Redis server
 * </pre>
 *
 * <p>Further schemes are those of the {@link StoreProvider}s on the class or module path. Nothing
 * in a URL is percent-decoded.
 */
public final class Stores {
  /** Opens the URLs of one scheme. */
  private interface Scheme {
    Store open(StoreUrl url, int rank, int size, Duration timeout, StoreCredentials credentials);
  }

  private static final Map<String, Scheme> OWN =
      Map.of(
          "file", Stores::file,
          "tcp", Stores::tcp,
          "redis", Stores::redis,
          "rediss", Stores::redis);

  private Stores() {}

  /** {@link #open(String, int, int, Duration)} without the number of ranks. */
  public static Store open(String url, int rank, Duration timeout) {
    return open(url, rank, 0, timeout);
  }

  /**
   * The store at {@code url}.
   *
   * @param rank of the caller; rank 0 serves the store if one of the ranks does
   * @param size how many ranks will open it; 0 if that is not known
   * @param timeout the store's, and how long opening it may take
   * @throws IllegalArgumentException if the URL is invalid or its scheme is unknown
   * @throws StoreUnavailableException if the store cannot be reached or served
   */
  public static Store open(String url, int rank, int size, Duration timeout) {
    return open(url, rank, size, timeout, StoreCredentials.NONE);
  }

  /**
   * The store at {@code url}, for ranks with a job secret or TLS: server and clients of {@code
   * tcp://} authenticate each other by them, unless the URL says {@code ?auth=no}, as it must for a
   * server of PyTorch. Other stores do not use them.
   *
   * @throws io.jgloo.transport.AuthenticationException if the server of the store is of another
   *     job, or only one side has a secret or TLS
   */
  public static Store open(
      String url, int rank, int size, Duration timeout, StoreCredentials credentials) {
    StoreUrl parsed = StoreUrl.parse(url);
    if (rank < 0) {
      throw new IllegalArgumentException("rank must not be negative, is " + rank);
    }
    Map<String, Scheme> schemes = schemes();
    Scheme scheme = schemes.get(parsed.scheme());
    if (scheme == null) {
      throw new IllegalArgumentException(
          String.format(
              "store URL must begin with one of %s and ://, is %s", schemes.keySet(), parsed));
    }
    return scheme.open(parsed, rank, size, timeout, credentials);
  }

  /** A store in a directory, which is created if it is missing: one file for each key. */
  public static Store directory(Path directory, Duration timeout) {
    return new FileStore(directory, timeout);
  }

  /** A store in a directory in the format of C++ Gloo's FileStore. */
  public static Store glooDirectory(Path directory, Duration timeout) {
    return FileStore.inGlooFormat(directory, timeout);
  }

  /**
   * A store in one file in the format of PyTorch's FileStore.
   *
   * @param workers how many handles will be opened in all, for the last to remove the file; -1 if
   *     that is not known
   */
  public static Store pytorchFile(Path file, int workers, Duration timeout) {
    return new FileLogStore(file, workers, timeout);
  }

  /**
   * A client of the store server at {@code host:port}, connected.
   *
   * @param timeout the store's, and how long to try to connect
   * @throws StoreUnavailableException if no server answers there in time
   */
  public static TcpStore connect(String host, int port, Duration timeout) {
    return TcpStoreClient.connect(host, port, timeout);
  }

  /**
   * As {@link #connect(String, int, Duration)}, to a server that proves to be of the job.
   *
   * @throws io.jgloo.transport.AuthenticationException if the server is of another job, or, at the
   *     deadline, does not authenticate itself
   * @throws IllegalArgumentException if a file for TLS cannot be used
   */
  public static TcpStore connect(
      String host, int port, Duration timeout, StoreCredentials credentials) {
    return TcpStoreClient.connect(host, port, timeout, credentials);
  }

  /**
   * Starts a store server and a client of it. It listens on {@code host} if that is an address of
   * this machine; on all addresses if it is a name that leads elsewhere (a service's) or to the
   * loopback (which other machines cannot reach), with a log line.
   *
   * @param host the name or address at which clients reach it, {@link TcpStore#host()}
   * @param port 0 for one that the system chooses, {@link TcpStore#port()}
   * @throws StoreUnavailableException if the port is taken
   */
  public static TcpStore serve(String host, int port, Duration timeout) {
    return TcpStoreClient.serve(host, port, timeout);
  }

  /** As {@link #serve(String, int, Duration)}, for clients that prove to be of the job. */
  public static TcpStore serve(
      String host, int port, Duration timeout, StoreCredentials credentials) {
    return TcpStoreClient.serve(host, port, timeout, credentials);
  }

  /**
   * The same, with the address to listen on apart from the one at which the others reach it.
   *
   * @throws StoreUnavailableException if it cannot listen there
   */
  public static TcpStore serve(
      String host, InetSocketAddress bind, Duration timeout, StoreCredentials credentials) {
    return TcpStoreClient.serve(host, bind, timeout, credentials);
  }

  private static Map<String, Scheme> schemes() {
    Map<String, Scheme> schemes = new TreeMap<>(OWN);
    for (StoreProvider provider :
        ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
      Scheme scheme =
          (url, rank, size, timeout, credentials) -> provider.open(url, rank, size, timeout);
      if (schemes.put(provider.scheme(), scheme) != null) {
        throw new IllegalStateException(
            "two providers of stores with " + provider.scheme() + "://, one is " + provider);
      }
    }
    return schemes;
  }

  private static Store file(
      StoreUrl url, int rank, int size, Duration timeout, StoreCredentials credentials) {
    url.requireOptions(Set.of("format"));
    Path path;
    try {
      path = url.location().startsWith("/") ? Path.of(url.location()) : null;
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("path in store URL is invalid: " + url, e);
    }
    if (path == null || path.getNameCount() == 0) {
      throw new IllegalArgumentException("store URL must be file:///path, is " + url);
    }
    return switch (url.option("format", "jgloo")) {
      case "jgloo" -> {
        if (Files.isRegularFile(path)) {
          throw new IllegalArgumentException(
              url + " is a file, not a directory; PyTorch's stores need ?format=pytorch");
        }
        yield directory(path, timeout);
      }
      case "gloo" -> glooDirectory(path, timeout);
      case "pytorch" -> pytorchFile(path, size > 0 ? size : -1, timeout);
      default ->
          throw new IllegalArgumentException(
              "format must be one of jgloo, gloo, pytorch, is " + url.option("format", ""));
    };
  }

  private static Store tcp(
      StoreUrl url, int rank, int size, Duration timeout, StoreCredentials ofJob) {
    url.requireOptions(Set.of("serve", "bind", "use_libuv", "auth"));
    String auth = url.option("auth", "secret");
    if (!auth.equals("secret") && !auth.equals("no")) {
      throw new IllegalArgumentException("auth must be secret or no, is " + auth);
    }
    StoreCredentials credentials = auth.equals("no") ? StoreCredentials.NONE : ofJob;
    HostPort server;
    try {
      String location = url.location();
      server =
          HostPort.parse(
              location.endsWith("/") ? location.substring(0, location.length() - 1) : location);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("store URL must be tcp://host:port, is " + url, e);
    }
    if (server.port() == 0) {
      throw new IllegalArgumentException(
          "port must not be 0, at which other ranks cannot connect: " + url);
    }
    String serve = url.option("serve", "rank0");
    if (!serve.equals("rank0") && !serve.equals("no")) {
      throw new IllegalArgumentException("serve must be rank0 or no, is " + serve);
    }
    boolean serves = rank == 0 && serve.equals("rank0");
    if (serves && size > 0) {
      SystemLimits.requireFiles("a store for " + size + " ranks", size);
      SystemLimits.checkBacklog(size);
    }
    Deadline deadline = Deadline.after(timeout);
    TcpStoreClient store =
        serves
            ? serve(server, url.options().get("bind"), timeout, credentials)
            : TcpStoreClient.connect(server.host(), server.port(), timeout, credentials);
    StoreJoin join = new StoreJoin(store);
    boolean joined = size == 0;
    try { // counts this rank among the workers, for which PyTorch's rank 0 waits if it serves
      while (!joined) {
        try {
          store.joinWorkers();
          joined = true;
        } catch (StoreUnavailableException e) {
          join.reconnect(e, deadline.remaining());
        }
      }
      return store;
    } finally {
      if (!joined) {
        store.close();
      }
    }
  }

  private static TcpStoreClient serve(
      HostPort server, @Nullable String bind, Duration timeout, StoreCredentials credentials) {
    if (bind == null) {
      return TcpStoreClient.serve(server.host(), server.port(), timeout, credentials);
    }
    InetSocketAddress address = new InetSocketAddress(bind, server.port());
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("bind must be an address of this host, is " + bind);
    }
    return TcpStoreClient.serve(server.host(), address, timeout, credentials);
  }

  private static Store redis(
      StoreUrl url, int rank, int size, Duration timeout, StoreCredentials credentials) {
    try {
      return new RedisStore(url.text(), timeout);
    } catch (NoClassDefFoundError e) {
      throw new StoreUnavailableException(
          url + " needs redis.clients:jedis, which is not on the class path", e);
    }
  }
}
