package io.jgloo.rendezvous.address;

import io.jgloo.rendezvous.store.StoreUrl;
import java.net.InetSocketAddress;

/**
 * A host name or address literal (IPv6 without brackets) and a port, as written {@code host:port}.
 */
public record HostPort(String host, int port) {
  public HostPort {
    if (host == null || host.isBlank()) {
      throw new IllegalArgumentException("host must not be empty");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535, is " + port);
    }
    host = host.strip();
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
  }

  /** Reads {@code host:port} or {@code [v6]:port}. */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.isEmpty() || (host.indexOf(':') >= 0 && !host.startsWith("["))) {
      throw new IllegalArgumentException("'" + StoreUrl.masked(text) + "' is not host:port");
    }
    try {
      return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + StoreUrl.masked(text) + "' has no port number");
    }
  }

  /** An address in this form; asks no name service. */
  public static String text(InetSocketAddress address) {
    return new HostPort(address.getHostString(), address.getPort()).toString();
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
