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

/** Where a store server listens, given the name under which its clients look for it. */
final class BindAddress {
  private static final Logger LOG = System.getLogger(BindAddress.class.getName());

  private BindAddress() {}

  /**
   * The address of the host on this machine. All addresses, if it is not of this machine: then a
   * service or an address translation leads here. Also if a host's name leads to the loopback, as
   * in Debian's {@code /etc/hosts} for the machine's own name: other machines resolve another
   * address.
   *
   * @param authenticated whether the server serves processes of its job only
   */
  static InetSocketAddress of(HostPort wanted, boolean authenticated) {
    InetAddress address;
    try {
      address = InetAddress.getByName(wanted.host());
      if (NetworkInterface.getByInetAddress(address) != null
          && (!address.isLoopbackAddress() || meansLoopback(wanted.host(), address))) {
        return new InetSocketAddress(address, wanted.port());
      }
      if (address.isLoopbackAddress() && meansLoopback(wanted.host(), address)) {
        return new InetSocketAddress(address, wanted.port()); // 127.x.y.z, which no interface lists
      }
    } catch (UnknownHostException | SocketException e) {
      throw new StoreUnavailableException("cannot listen on " + wanted + ": " + e, e);
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
    return new InetSocketAddress(wanted.port());
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
