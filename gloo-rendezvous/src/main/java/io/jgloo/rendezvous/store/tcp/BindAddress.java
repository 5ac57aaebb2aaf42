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
   * The address that the host is on this machine. All addresses, if it is none: then some service
   * or translation leads here. Also if a host's name leads to the loopback, as Debian's {@code
   * /etc/hosts} has it for the machine's own name: other machines find it elsewhere.
   */
  static InetSocketAddress of(HostPort wanted) {
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
        "store: {0} is {1} here, which is no address of this machine that others reach; the server"
            + " listens on all addresses, and clients are not authenticated: whoever reaches port"
            + " {2} can read and write. Name one interface with ?bind=ADDRESS or Stores.serve",
        wanted.host(),
        address.getHostAddress(),
        Integer.toString(wanted.port()));
    return new InetSocketAddress(wanted.port());
  }

  /** Where the server's own client finds it. */
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
