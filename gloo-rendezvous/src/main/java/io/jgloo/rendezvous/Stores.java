package io.jgloo.rendezvous;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;

/**
 * Opens the store that a URL names.
 *
 * <pre>
 *   file:///shared/dir      a {@link FileStore}, created if it is missing
 *   tcp://host:port         a {@link TcpStore}; rank 0 serves it, the others connect
 * </pre>
 *
 * <p>Nothing in a URL is percent-decoded.
 */
public final class Stores {
  /** Opens the URLs of one scheme. */
  private interface Scheme {
    Store open(String url, String rest, int rank, Duration timeout);
  }

  private static final Map<String, Scheme> SCHEMES =
      Map.of("file", Stores::file, "tcp", Stores::tcp);

  private Stores() {}

  /**
   * The store at {@code url}.
   *
   * @param rank of the caller; decides who serves where one of the ranks does
   * @param timeout the store's, and how long opening it may take
   * @throws IllegalArgumentException if the URL is not one that this knows
   * @throws StoreUnavailableException if the store cannot be reached or served
   */
  public static Store open(String url, int rank, Duration timeout) {
    int end = url == null ? -1 : url.indexOf("://");
    Scheme scheme = end < 0 ? null : SCHEMES.get(url.substring(0, end));
    if (scheme == null) {
      throw new IllegalArgumentException(
          String.format(
              "store URL must begin with one of %s and ://, is %s",
              new TreeSet<>(SCHEMES.keySet()), url));
    }
    if (rank < 0) {
      throw new IllegalArgumentException("rank must not be negative, is " + rank);
    }
    return scheme.open(url, url.substring(end + 3), rank, timeout);
  }

  private static Store file(String url, String rest, int rank, Duration timeout) {
    Path directory;
    try {
      directory = rest.startsWith("/") && rest.indexOf('?') < 0 ? Path.of(rest) : null;
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no directory in store URL " + url, e);
    }
    if (directory == null || directory.getNameCount() == 0) {
      throw new IllegalArgumentException("store URL must be file:///path, is " + url);
    }
    return new FileStore(directory, timeout);
  }

  private static Store tcp(String url, String rest, int rank, Duration timeout) {
    HostPort server;
    try {
      server = HostPort.parse(rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("store URL must be tcp://host:port, is " + url, e);
    }
    if (server.port() == 0) {
      throw new IllegalArgumentException("port 0 tells the other ranks nothing: " + url);
    }
    return rank == 0
        ? TcpStore.serve(server.host(), server.port(), timeout)
        : TcpStore.connect(server.host(), server.port(), timeout);
  }
}
