package io.jgloo.rendezvous;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreProvider;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.StoreUrl;
import io.jgloo.rendezvous.store.file.FileLogStore;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.rendezvous.store.redis.RedisStore;
import io.jgloo.rendezvous.store.tcp.TcpStore;
import io.jgloo.rendezvous.store.tcp.TcpStoreLimits;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;

/**
 * Opens the store that a URL names.
 *
 * <pre>
 *   file:///shared/dir      a {@link FileStore}, created if it is missing; with ?format=gloo in the
 *                           format of C++ Gloo, with ?format=pytorch a {@link FileLogStore}
 *   tcp://host:port         a {@link TcpStore}; rank 0 serves it, the others connect; with
 *                           ?serve=no somebody else serves and all connect; with ?bind=address rank
 *                           0 listens there
 *   redis://host:port/db    a {@link RedisStore}
 * </pre>
 *
 * <p>Further schemes are those of the {@link StoreProvider}s on the class or module path. Nothing
 * in a URL is percent-decoded.
 */
public final class Stores {
  /** Opens the URLs of one scheme. */
  private interface Scheme {
    Store open(StoreUrl url, int rank, int size, Duration timeout);
  }

  private static final Map<String, Scheme> OWN =
      Map.of(
          "file", Stores::file,
          "tcp", Stores::tcp,
          "redis", Stores::redis,
          "rediss", Stores::redis);

  private Stores() {}

  /** {@link #open(String, int, int, Duration)} by a rank that does not know how many there are. */
  public static Store open(String url, int rank, Duration timeout) {
    return open(url, rank, 0, timeout);
  }

  /**
   * The store at {@code url}.
   *
   * @param rank of the caller; decides who serves where one of the ranks does
   * @param size how many ranks will open it; 0 if that is not known
   * @param timeout the store's, and how long opening it may take
   * @throws IllegalArgumentException if the URL is not one that this knows
   * @throws StoreUnavailableException if the store cannot be reached or served
   */
  public static Store open(String url, int rank, int size, Duration timeout) {
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
    return scheme.open(parsed, rank, size, timeout);
  }

  private static Map<String, Scheme> schemes() {
    Map<String, Scheme> schemes = new TreeMap<>(OWN);
    for (StoreProvider provider :
        ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
      if (schemes.put(provider.scheme(), provider::open) != null) {
        throw new IllegalStateException(
            "two providers of stores with " + provider.scheme() + "://, one is " + provider);
      }
    }
    return schemes;
  }

  private static Store file(StoreUrl url, int rank, int size, Duration timeout) {
    url.requireOptions(Set.of("format"));
    Path path;
    try {
      path = url.location().startsWith("/") ? Path.of(url.location()) : null;
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no path in store URL " + url, e);
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
        yield new FileStore(path, timeout);
      }
      case "gloo" -> FileStore.inGlooFormat(path, timeout);
      case "pytorch" -> new FileLogStore(path, size > 0 ? size : -1, timeout);
      default ->
          throw new IllegalArgumentException(
              "format must be one of jgloo, gloo, pytorch, is " + url.option("format", ""));
    };
  }

  private static Store tcp(StoreUrl url, int rank, int size, Duration timeout) {
    url.requireOptions(Set.of("serve", "bind", "use_libuv"));
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
      throw new IllegalArgumentException("port 0 tells the other ranks nothing: " + url);
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
    TcpStore store =
        serves
            ? serve(server, url.option("bind", null), timeout)
            : TcpStore.connect(server.host(), server.port(), timeout);
    return size > 0 ? joined(store) : store;
  }

  private static TcpStore serve(HostPort server, String bind, Duration timeout) {
    if (bind == null) {
      return TcpStore.serve(server.host(), server.port(), timeout);
    }
    InetSocketAddress address = new InetSocketAddress(bind, server.port());
    return TcpStore.serve(server.host(), address, timeout, TcpStoreLimits.DEFAULT);
  }

  /** Counted among the workers, for whom PyTorch's rank 0 waits if it serves. */
  private static TcpStore joined(TcpStore store) {
    boolean joined = false;
    try {
      store.joinWorkers();
      joined = true;
      return store;
    } finally {
      if (!joined) {
        store.close();
      }
    }
  }

  private static Store redis(StoreUrl url, int rank, int size, Duration timeout) {
    try {
      return new RedisStore(url.text(), timeout);
    } catch (NoClassDefFoundError e) {
      throw new StoreUnavailableException(
          url + " needs redis.clients:jedis on the class path, which is not there", e);
    }
  }
}
