package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.UnavailableException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Chooses the local address to listen on.
 *
 * <p>By default the address from which packets leave for the host of attribute {@code reach}, or
 * else by the default route, or else that of the only interface that is up beside the loopback. The
 * machine's own host name is not used, as many resolve it to 127.0.1.1.
 */
public final class Interfaces {

  /**
   * Reserved for documentation (RFC 5737, RFC 3849): routed like any public address, never reached.
   */
  private static final String[] WORLD = {"192.0.2.1", "2001:db8::1"};

  private static final int DISCARD_PORT = 9;

  /** Names that are the loopback at every host. */
  private static final Pattern LOCALHOST =
      Pattern.compile(
          "(ip6-)?(localhost|loopback)(\\..*)?|.*\\.localhost", Pattern.CASE_INSENSITIVE);

  /**
   * A choice and what it was made from.
   *
   * @param address to bind
   * @param reason for the log
   * @param doubtful whether it may not be what was meant: to be logged as a warning
   */
  public record Choice(InetAddress address, String reason, boolean doubtful) {
    private Choice(InetAddress address, String reason) {
      this(address, reason, false);
    }
  }

  private Interfaces() {}

  /**
   * The address to bind by the attributes of a device, each null if it is not set.
   *
   * @throws IllegalArgumentException if an attribute names nothing that this machine has
   */
  public static Choice choose(String bind, String interfaceName, String reach) {
    if (bind != null) {
      try {
        return new Choice(InetAddress.getByName(bind), "attribute bind");
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException("attribute bind: cannot resolve '" + bind + "'", e);
      }
    }
    if (interfaceName != null) {
      return ofInterface(interfaceName);
    }
    return reach != null ? towards(reach) : towardsTheWorld();
  }

  /**
   * The address that peers are told.
   *
   * @param wanted attribute {@code advertise}; null for the chosen address
   * @throws IllegalArgumentException if it cannot be resolved
   */
  public static InetAddress advertised(String wanted, Choice choice) {
    if (wanted == null) {
      return choice.address().isAnyLocalAddress() ? towardsTheWorld().address() : choice.address();
    }
    try {
      return InetAddress.getByName(wanted);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("attribute advertise: cannot resolve '" + wanted + "'", e);
    }
  }

  /** First suitable address of a named interface, IPv4 before IPv6. */
  public static Choice ofInterface(String name) {
    try {
      NetworkInterface chosen = NetworkInterface.getByName(name);
      if (chosen == null) {
        throw new IllegalArgumentException(
            "attribute interface: there is no '" + name + "'; there are " + candidates());
      }
      List<InetAddress> addresses = new ArrayList<>(Collections.list(chosen.getInetAddresses()));
      addresses.removeIf(InetAddress::isLinkLocalAddress);
      addresses.sort(
          (a, b) -> Boolean.compare(a instanceof Inet6Address, b instanceof Inet6Address));
      if (addresses.isEmpty() || !chosen.isUp()) {
        throw new IllegalArgumentException(
            "attribute interface: '"
                + name
                + "' is down or has no address; there are "
                + candidates());
      }
      return new Choice(addresses.get(0), "interface " + name);
    } catch (SocketException e) {
      throw new UnavailableException("cannot list network interfaces", e);
    }
  }

  /**
   * The address from which packets leave for a host; by the default route, if its name is the
   * wildcard or leads to the loopback here, while it may mean this host elsewhere.
   */
  public static Choice towards(String host) {
    try {
      InetAddress target = InetAddress.getByName(host);
      if (isReachableHereOnly(host, target)) {
        Choice world = towardsTheWorld();
        String unlike = host + " is " + target.getHostAddress() + " here, which other hosts cannot";
        return new Choice(world.address(), unlike + " reach; instead " + world.reason(), true);
      }
      return new Choice(source(target), "routes to " + host);
    } catch (UnknownHostException e) {
      throw new UnavailableException("attribute reach: cannot resolve '" + host + "'", e);
    } catch (IOException e) {
      throw new UnavailableException("attribute reach: no route to '" + host + "'", e);
    }
  }

  /** Those who say 127.0.0.1, ::1 or localhost mean ranks on one host. */
  private static boolean isReachableHereOnly(String host, InetAddress target) {
    boolean literal = host.equals(target.getHostAddress()) || host.indexOf(':') >= 0;
    return target.isAnyLocalAddress()
        || (target.isLoopbackAddress() && !literal && !LOCALHOST.matcher(host).matches());
  }

  /**
   * The address from which packets leave by the default route; without one, that of the only other
   * interface that is up, or loopback if there is none or more than one.
   */
  public static Choice towardsTheWorld() {
    for (String target : WORLD) {
      try {
        InetAddress source = source(InetAddress.getByName(target));
        if (!source.isAnyLocalAddress() && !source.isLoopbackAddress()) {
          return new Choice(source, "default route");
        }
      } catch (IOException e) {
        // No route of this family; the other may have one.
      }
    }
    List<String> others = others();
    if (others.size() == 1) {
      String only = others.get(0);
      return new Choice(
          ofInterface(only).address(), "no default route; only " + only + " is up beside loopback");
    }
    String several = others.isEmpty() ? "" : "; set attribute interface to one of " + others;
    return new Choice(
        InetAddress.getLoopbackAddress(),
        "no route leaves this machine: only ranks on it can join" + several,
        true);
  }

  /** The names of interfaces that are up, but loopback, with an address that is not link-local. */
  private static List<String> others() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(Interfaces::isUp)
          .filter(
              each ->
                  each.inetAddresses()
                      .anyMatch(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress()))
          .map(NetworkInterface::getName)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  private static InetAddress source(InetAddress target) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(target, DISCARD_PORT)); // sends nothing
      return socket.getLocalAddress();
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Text for the log: every interface that is up, with its addresses. */
  public static String candidates() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(Interfaces::isUp)
          .map(
              each ->
                  each.getName()
                      + each.inetAddresses()
                          .filter(a -> a instanceof Inet4Address || !a.isLinkLocalAddress())
                          .map(InetAddress::getHostAddress)
                          .collect(Collectors.joining(" ", " (", ")")))
          .collect(Collectors.joining(", "));
    } catch (SocketException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  /** Whether an address is one of this machine's. */
  static boolean isOwn(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  private static boolean isUp(NetworkInterface each) {
    try {
      return each.isUp();
    } catch (SocketException e) {
      return false;
    }
  }
}
