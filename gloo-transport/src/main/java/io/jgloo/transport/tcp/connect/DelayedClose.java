package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A closed pair's connection: sends what was staged, shuts its output down, and reads until the
 * peer closes.
 *
 * <p>Closing with unread bytes would make the kernel reset the connection and throw away what the
 * peer has not received yet, for example the last message or the goodbye frame.
 */
public final class DelayedClose extends ControlConnection {

  /** So that a peer that never stops sending does not delay the other connections. */
  private static final int READS_AT_A_TIME = 64;

  private final boolean local;
  private final byte[] left;
  private final SideChannel.Notice notice; // null if there is none
  private final byte[] waste = new byte[256];
  private int written;
  private boolean shut;

  /**
   * @param notice the output is shut down when it is settled: from the end of a stream alone the
   *     peer would conclude that this rank is lost
   */
  DelayedClose(
      ControlLoop loop, Link link, byte[] left, SideChannel.Notice notice, long deadlineNanos) {
    super(loop, link, deadlineNanos);
    this.left = left;
    this.notice = notice;
    InetSocketAddress remote = link.remoteAddress();
    local = remote == null || loop.device().isOwn(remote.getAddress());
  }

  @Override
  void ready() throws IOException {
    while (written < left.length && link.writable) {
      written += write(left, written);
    }
    boolean mayShut = notice == null || notice.isSettled();
    if (written == left.length && !shut && mayShut) {
      shut = true;
      link.shutdownOutput();
    }
    for (int i = 0; i < READS_AT_A_TIME && link.readable; i++) {
      read(waste, 0);
    }
    if (link.readable || (written < left.length && link.writable)) {
      loop.serveLater(0, this);
    }
  }

  /** Whether the close of the device waits for it: bytes to this host have arrived already. */
  @Override
  boolean mustStay() {
    return !local || !shut;
  }

  @Override
  void failed(IOException cause) {
    // The end of the stream is what it waits for.
  }
}
