package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.library.NettyVersion;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/** Chooses the kind of sockets of a device, and their congestion control. */
public final class SocketChoice {

  private static final Logger LOG = System.getLogger(SocketChoice.class.getName());

  private SocketChoice() {}

  /**
   * The sockets of a kind.
   *
   * @param kind {@code epoll}, {@code nio}, or {@code auto} for epoll where there is epoll
   * @throws UnavailableException if the kind is epoll and there is none
   */
  public static Sockets of(String kind) {
    if (kind.equals("nio")) {
      return new NioSockets();
    }
    Optional<String> problem = NettyVersion.problem(); // Spark 3, for one, replaces our Netty
    Throwable cause =
        problem.isPresent()
            ? new UnavailableException(problem.get())
            : EpollSockets.unavailability();
    if (cause == null) {
      return new EpollSockets();
    }
    if (kind.equals("epoll")) {
      throw new UnavailableException("epoll cannot be used here: " + cause.getMessage(), cause);
    }
    LOG.log(
        cause instanceof UnavailableException ? Level.WARNING : Level.INFO,
        "epoll is not available, java.nio is used instead: {0}",
        cause.toString());
    return new NioSockets();
  }

  /**
   * The congestion control for peers on this host.
   *
   * @param wanted a name, {@code auto}, or {@code system}
   * @return null for the system's
   * @throws IllegalArgumentException if the kernel does not have it, or does not permit it
   */
  public static String congestion(Sockets sockets, String wanted) {
    if (wanted.equals("system") || !(sockets instanceof EpollSockets)) {
      return null;
    }
    List<String> names = wanted.equals("auto") ? List.of("cubic", "reno") : List.of(wanted);
    for (String name : names) {
      if (name.equals(sockets.defaultCongestionControl())) {
        return null;
      }
      if (isAllowed(name)) {
        return name;
      }
    }
    if (!wanted.equals("auto")) {
      throw new IllegalArgumentException(
          "attribute congestion: '" + wanted + "' is unknown to this kernel or not permitted");
    }
    return null;
  }

  private static boolean isAllowed(String congestion) {
    try {
      return EpollSockets.congestionControlAllowed(congestion);
    } catch (IOException e) {
      throw new UnavailableException("cannot open a socket: " + e.getMessage(), e);
    }
  }
}
