package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts incoming connections of a device that were refused before their request was looked at.
 *
 * <p><i>Threads</i>: the device's thread counts, any may read.
 */
public final class Refusals {

  private static final Logger LOG = System.getLogger(Refusals.class.getName());

  private final Level level;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong unauthenticated = new AtomicLong();
  private volatile String last = "";
  private volatile String lastOtherVersion;

  /**
   * @param level of the log lines
   */
  Refusals(Level level) {
    this.level = level;
  }

  /** Counts one, and logs at counts 1, 2, 4, 8 ... */
  void add(ConnectDevice device, Link link, IOException cause) {
    if (cause instanceof AuthenticationFailure) {
      last = link.remoteAddress() + " " + cause.getMessage();
      unauthenticated.incrementAndGet();
    }
    if (cause instanceof WireVersion.OtherVersion) {
      lastOtherVersion = link.remoteAddress() + ": " + cause.getMessage();
    }
    long now = count.incrementAndGet();
    if (Long.bitCount(now) == 1) {
      LOG.log(
          level,
          "{0} refused {1} connections without a valid handshake; the last, from {2}: {3}",
          device,
          now,
          link.remoteAddress(),
          cause.getMessage());
    }
  }

  /** All, without and with a challenge. */
  public long count() {
    return count.get();
  }

  /** Those that did not prove to have the job's secret. */
  long unauthenticated() {
    return unauthenticated.get();
  }

  /** Address and version of the last peer of another version of the wire; null if there is none. */
  String lastOtherVersion() {
    return lastOtherVersion;
  }

  /** The address of the last of these, and the reason. */
  String lastUnauthenticated() {
    return last;
  }
}
