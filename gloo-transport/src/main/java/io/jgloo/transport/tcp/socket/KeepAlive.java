package io.jgloo.transport.tcp.socket;

/**
 * What the kernel does about a peer that does not answer; on every wire.
 *
 * <p>An idle connection is probed after {@code idleSeconds}, then {@link #PROBES} times at
 * intervals of a sixth of that, so a host that has vanished is found after about twice {@code
 * idleSeconds}.
 *
 * <p>TCP_USER_TIMEOUT is not set by default: Linux also counts the time in which a peer that lives
 * does not read, so it would end pairs whose peer is only slow.
 *
 * @param idleSeconds after which an idle connection is probed; 0 for no probes
 * @param userTimeoutMillis after which unacknowledged bytes end a connection; 0 for the system's
 */
public record KeepAlive(int idleSeconds, int userTimeoutMillis) {

  /** Probes without an answer that end a connection. */
  static final int PROBES = 6;

  int intervalSeconds() {
    return Math.max(1, idleSeconds / PROBES);
  }
}
