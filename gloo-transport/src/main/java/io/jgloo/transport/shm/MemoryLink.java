package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.KeepAlive;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Pollable;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A connection whose bytes go through memory that both ranks have mapped. Its socket stays: a byte
 * on it wakes a peer that is blocked, and its end is the end of the peer.
 *
 * <p>What the peer has written before its end is read first: memory outlives the process.
 *
 * <p><i>Threads</i>: as those of its socket; {@link #isReady}, {@link #park} and {@link #unpark} by
 * the holder of the progress lock, without the mesh's; {@link #keepMapped} and {@link #close}, by
 * any. <i>Owns</i>: the socket and the segment.
 */
public final class MemoryLink extends Link {

  private static final int SMALL_BYTES = 64;

  private final Link socket;
  private final Segment segment;
  private final MemoryChannel channel;
  private final long small = Memory.allocate(SMALL_BYTES, Memory.CACHE_LINE);
  private MemoryLinks lookedAtBy; // null while no thread that makes progress looks at it
  private InternalError truncation; // how it was found; null if the memory is whole
  private boolean ended;
  private boolean closed;
  private boolean keepsMapped;
  private boolean unused; // closed, and only mapped because it is to be kept so

  public MemoryLink(Link socket, Segment segment) {
    this.socket = socket;
    this.segment = segment;
    channel = segment.channel(this::ringBell);
    socket.front = this;
    readable = true;
    writable = true;
  }

  @Override
  public Pollable descriptor() {
    return socket.descriptor();
  }

  @Override
  public boolean canReadInPlace() {
    return true;
  }

  /** The bytes themselves, to be read in place. */
  public MemoryChannel channel() {
    return channel;
  }

  public Segment segment() {
    return segment;
  }

  /** The cells, or null if there are none. */
  public CellChannel cells() {
    return channel.cells();
  }

  /** Tells the peer whether this rank uses cells with all ranks. */
  public void announceCells(boolean use) {
    try {
      channel.cells().announce(use);
      channel.wake();
    } catch (InternalError e) {
      socket.readable = true; // the peer has truncated the memory: the next read reports that
    }
  }

  /** Wakes the peer if it is blocked. Under the mesh's lock. */
  void wakePeer() {
    if (!closed) {
      try {
        channel.wake();
      } catch (InternalError e) {
        socket.readable = true; // as above
      }
    }
  }

  private IOException truncated(InternalError e) {
    return new IOException("the memory (" + segment.kind() + ") was truncated", e);
  }

  /**
   * Whether the memory stays mapped when the link is closed. A mesh that ends says no while the
   * device's thread may be closing the link: one of the two unmaps.
   */
  public synchronized void keepMapped(boolean keep) {
    keepsMapped = keep;
    if (!keep && unused) {
      unmap();
    }
  }

  /** The thread that makes progress looks at it from now on; null: it no longer does. */
  void lookedAtBy(MemoryLinks links) {
    lookedAtBy = links;
    if (links != null) {
      unpark();
    } else if (!closed) {
      askForWakeup(); // the socket reports the rest
    }
  }

  boolean isLookedAt() {
    return lookedAtBy != null;
  }

  /** A byte that wakes a process needs no answer; a broken socket is found at the next read. */
  private void ringBell() {
    try {
      socket.write(small, 1);
    } catch (IOException e) {
      socket.breaks();
    }
  }

  @Override
  public void descriptorNews() {
    if (lookedAtBy == null && !closed) {
      askForWakeup();
    }
    readable = true;
    writable = true;
  }

  /** Whether there is something to be done; wrong answers concern what is under way just now. */
  boolean isReady() {
    try {
      return socket.readable || ended || channel.hasBytes() || (!writable && channel.hasRoom());
    } catch (ProtocolException | InternalError e) {
      return true; // reading finds it too, and fails the pair
    }
  }

  /** Sets the flags that a poller would set. Under the mesh's lock. */
  void takeNews() {
    readable = true;
    writable = true;
  }

  /**
   * Whether the memory is found truncated, for the first time.
   *
   * @param error that led to the question
   */
  @SuppressWarnings("ThreadPriorityCheck") // for what it does at its return, not for its hint
  boolean findTruncated(InternalError error) {
    if (truncation != null || !segment.isNamed()) {
      return false;
    }
    try {
      channel.hasBytes();
      Thread.yield(); // compiled code hears of the fault when it returns from native code
    } catch (ProtocolException e) {
      return false; // reading finds it too
    } catch (InternalError e) {
      truncation = error;
      socket.readable = true;
    }
    return truncation != null;
  }

  /** Asks the peer for a wake-up; false if there is something to be done already. */
  boolean park() {
    try {
      return channel.park(!writable) && !socket.readable && !ended;
    } catch (ProtocolException | InternalError e) {
      return false;
    }
  }

  void unpark() {
    try {
      channel.unpark();
    } catch (InternalError e) {
      socket.readable = true; // as above
    }
  }

  private void askForWakeup() {
    try {
      channel.askForWakeup();
    } catch (InternalError e) {
      socket.readable = true; // as above
    }
  }

  @Override
  public int read(long address, int length) throws IOException {
    if (truncation != null) {
      throw truncated(truncation);
    }
    try {
      int count = channel.read(address, length);
      return count > 0 || !(socket.readable || ended) ? count : readSocket(address, length);
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  /** Takes wake-ups from the socket; at its end, what was written before is read to the end. */
  private int readSocket(long address, int length) throws IOException {
    IOException broken = null;
    try {
      while (socket.readable && !ended) {
        int count = socket.read(small, SMALL_BYTES);
        socket.found(count, SMALL_BYTES);
        ended = count < 0;
        if (count > 0 && lookedAtBy == null) {
          channel.askForWakeup(); // the wake-up that was just taken is the last one otherwise
          writable = true;
        }
      }
    } catch (IOException e) {
      broken = e;
    }
    int count = channel.read(address, length);
    if (count > 0) {
      return count;
    }
    if (broken != null) {
      throw broken;
    }
    return ended ? -1 : 0;
  }

  @Override
  public int write(long address, int length) throws IOException {
    return (int) write(address, length, 0, 0);
  }

  @Override
  public long write(long first, int firstLength, long second, int secondLength) throws IOException {
    long written;
    try {
      written = channel.write(first, firstLength);
      if (written == firstLength && secondLength > 0) {
        written += channel.write(second, secondLength);
      }
    } catch (InternalError e) {
      throw truncated(e);
    }
    if (written < (long) firstLength + secondLength) {
      writable = false;
      if (lookedAtBy != null) {
        lookedAtBy.roomWanted();
      }
    }
    return written;
  }

  @Override
  public boolean finishConnect() throws IOException {
    return socket.finishConnect();
  }

  @Override
  public void lookAgain() {
    readable = true;
  }

  @Override
  public void shutdown() throws IOException {
    socket.shutdown();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void congestionControl(String name) {
    socket.congestionControl(name);
  }

  @Override
  public void keepAlive(KeepAlive settings) {
    socket.keepAlive(settings);
  }

  @Override
  public String identity() {
    return socket.identity();
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return socket.remoteAddress();
  }

  /** Closes the socket, and unmaps the memory as soon as no thread looks at it. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      socket.close();
      if (lookedAtBy == null) {
        release();
      } else {
        lookedAtBy.releaseLater(this);
      }
    }
  }

  /** Unmaps the memory, which no thread looks at any more. */
  public synchronized void release() {
    unused = true;
    if (!keepsMapped) {
      unmap();
    }
  }

  private void unmap() {
    unused = false;
    segment.close();
    Memory.free(small);
  }
}
