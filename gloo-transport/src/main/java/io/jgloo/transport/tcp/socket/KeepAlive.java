package io.jgloo.transport.tcp.socket;

import java.net.InetSocketAddress;

/**
 * The kernel's probes of a peer that does not answer; on every wire.
 *
 * <p>An idle connection is probed after {@code idleSeconds}, then {@link #PROBES} times at
 * intervals of a sixth of that, so a host that has vanished is found after about twice {@code
 * idleSeconds}.
 *
 * <p>A connection within this host is not probed: its end is certain to be reported. And timers of
 * a minute are so coarse that the probes of thousands of connections are sent at the same instant;
 * loopback holds 1,000 packets and drops the others, until a connection that lacks nothing has
 * missed all its answers.
 *
 * <p>TCP_USER_TIMEOUT is not set: Linux also counts the time in which a peer that lives does not
 * read, so it would end pairs whose peer is only slow.
 *
 * @param idleSeconds after which an idle connection is probed; 0 for no probes
 */
public record KeepAlive(int idleSeconds) {

  /** Probes without an answer that end a connection. */
  static final int PROBES = 6;

  /** Whether a connection with these ends, null if unknown, is probed. */
  boolean probes(InetSocketAddress local, InetSocketAddress remote) {
    boolean within =
        local != null
            && remote != null
            && (remote.getAddress().isLoopbackAddress()
                || remote.getAddress().equals(local.getAddress()));
    return idleSeconds > 0 && !within;
  }

  int intervalSeconds() {
    return Math.max(1, idleSeconds / PROBES);
  }
}
