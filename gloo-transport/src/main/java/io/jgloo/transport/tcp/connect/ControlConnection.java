package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.MemoryLink;
import io.jgloo.transport.shm.Segment;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;

/**
 * A connection that the device's thread serves: not yet, or no longer, a pair's.
 *
 * <p><i>Threads</i>: the device's thread. <i>Owns</i>: its link, and memory that was offered or
 * attached, until they are given away.
 */
public abstract class ControlConnection {

  private static final int BUFFER_BYTES = 256;

  final ControlLoop loop;
  final Link link;
  final long deadlineNanos;
  private Segment segment; // offered or attached; null if there is none
  private boolean gone;

  ControlConnection(ControlLoop loop, Link link, long deadlineNanos) {
    this.loop = loop;
    this.link = link;
    this.deadlineNanos = deadlineNanos;
    link.descriptor().owner = this;
  }

  /** The link may be readable or writable. */
  abstract void ready() throws IOException;

  /** Whether its deadline has passed. */
  boolean isLate(long now) {
    return now - deadlineNanos >= 0;
  }

  /** Whether the device's closing should wait for it. */
  boolean mustStay() {
    return false;
  }

  /** The deadline has passed, or something went wrong: the link is about to be closed. */
  abstract void failed(IOException cause);

  /** Takes the link out of the loop without closing it. */
  final void leave() {
    if (!gone) {
      gone = true;
      loop.forget(this);
    }
  }

  /** Takes the link out of the loop and closes it. */
  final void drop() {
    if (!gone) {
      leave();
      link.close();
      discardSegment();
    }
  }

  /**
   * Takes the link out of the loop and closes it; with TLS when the peer has done so or after a
   * while, so that it reads why it is refused.
   */
  final void refuse() {
    Link below = gone ? link : link.withoutTls();
    if (below == link) {
      drop();
      return;
    }
    leave();
    discardSegment();
    loop.closeDelayed(below, new byte[0], null);
  }

  final Segment segment() {
    return segment;
  }

  /** Keeps memory that may be the pair's. */
  final void keep(Segment offered) {
    segment = offered;
  }

  /** Unmaps memory that will not be the pair's. */
  final void discardSegment() {
    if (segment != null) {
      segment.close();
      segment = null;
    }
  }

  /** The connection as the pair's: through the memory, if there is any. */
  final Link pairLink() {
    if (segment == null) {
      return link;
    }
    segment.unlink();
    Link mapped = new MemoryLink(link, segment);
    segment = null;
    return mapped;
  }

  final boolean isGone() {
    return gone;
  }

  /**
   * Reads into a part of an array; never more than it has room for, as frames may follow.
   *
   * @return bytes read, 0 if none are there
   * @throws IOException at the end of the stream
   */
  final int read(byte[] into, int offset) throws IOException {
    int wanted = Math.min(into.length - offset, BUFFER_BYTES);
    int count = link.read(loop.buffer(), wanted);
    link.found(count, wanted);
    if (count < 0) {
      throw new IOException("the connection was closed");
    }
    Memory.copy(loop.buffer(), into, offset, count);
    return count;
  }

  /** Writes a part of an array; returns how much. */
  final int write(byte[] from, int offset) throws IOException {
    int wanted = Math.min(from.length - offset, BUFFER_BYTES);
    Memory.copy(from, offset, loop.buffer(), wanted);
    int count = link.write(loop.buffer(), wanted);
    if (count < wanted) {
      link.writable = false;
    }
    return count;
  }

  static long newBuffer() {
    return Memory.allocate(BUFFER_BYTES, Memory.CACHE_LINE);
  }
}
