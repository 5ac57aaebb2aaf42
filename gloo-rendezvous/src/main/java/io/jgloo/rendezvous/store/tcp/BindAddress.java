package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The address on which a store server listens, given the name under which its clients look for it.
 */
final class BindAddress {
  private static final Logger LOG = System.getLogger(BindAddress.class.getName());

  private BindAddress() {}

  /**
   * The addresses of the host on this machine, of both families. All addresses, if it is not of
   * this machine: then a service or an address translation leads here. Also if a host's name leads
   * to the loopback, as in Debian's {@code /etc/hosts} for the machine's own name: other machines
   * resolve another address.
   *
   * @param authenticated whether the server serves processes of its job only
   */
  static List<InetSocketAddress> of(HostPort wanted, boolean authenticated) {
    try {
      return of(wanted, InetAddress.getAllByName(wanted.host()), authenticated);
    } catch (UnknownHostException | SocketException e) {
      throw new StoreUnavailableException("cannot listen on " + wanted + ": " + e, e);
    }
  }

  /**
   * As {@link #of(HostPort, boolean)}, of a host whose name leads to {@code all} these addresses.
   */
  static List<InetSocketAddress> of(HostPort wanted, InetAddress[] all, boolean authenticated)
      throws SocketException {
    InetAddress address = all[0];
    List<InetSocketAddress> own = new ArrayList<>();
    for (InetAddress each : all) {
      boolean here = NetworkInterface.getByInetAddress(each) != null;
      boolean local = each.isLoopbackAddress(); // as 127.x.y.z, which no interface lists
      if (local ? meansLoopback(wanted.host(), each) : here) {
        own.add(new InetSocketAddress(each, wanted.port()));
      }
    }
    if (!own.isEmpty() && own.get(0).getAddress().equals(address)) {
      return own;
    }
    LOG.log(
        Level.WARNING,
        "store: {0} is {1} here, which other machines cannot reach; the server"
            + " listens on all addresses{2}. Name one interface with ?bind=ADDRESS or Stores.serve",
        wanted.host(),
        address.getHostAddress(),
        authenticated
            ? ""
            : ", and clients are not authenticated: every host that reaches port "
                + wanted.port()
                + " can read and write");
    return List.of(new InetSocketAddress(wanted.port()));
  }

  /** The address for the server's own client. */
  static HostPort reachable(InetSocketAddress bound) {
    return bound.getAddress().isAnyLocalAddress()
        ? new HostPort("localhost", bound.getPort())
        : new HostPort(bound.getAddress().getHostAddress(), bound.getPort());
  }

  private static boolean meansLoopback(String host, InetAddress address) {
    return host.equalsIgnoreCase("localhost")
        || host.equals(address.getHostAddress())
        || host.indexOf(':') >= 0;
  }
}
