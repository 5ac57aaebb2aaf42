package io.jgloo.transport.tcp.socket;

/**
 * A descriptor whose readiness a {@link Poller} reports, edge-triggered.
 *
 * <p>The flags stay set until a system call has found the descriptor empty or full; so the hot path
 * needs no call to change interest.
 */
public abstract class Pollable {

  /** The object that handles readiness; set on registration. */
  public Object owner;

  /** What goes on when this descriptor has news, or null: it stands for a connection in memory. */
  public Pollable front;

  /** A read (or accept) may find something. */
  public boolean readable;

  /** A write may find room. */
  public boolean writable;

  /** On the poller's list of ready descriptors. */
  public boolean listed;

  /** What the poller has seen and the owner has not absorbed yet. */
  private boolean readNews;

  private boolean writeNews;

  private boolean endNews;

  /**
   * The other side has ended its stream: a short read is not the last one, the end is behind it.
   */
  private boolean ending;

  /** Records what the poller has seen. */
  public final void news(boolean read, boolean write) {
    readNews |= read;
    writeNews |= write;
  }

  /** Records that the other side has ended its stream. */
  public final void newsOfTheEnd() {
    endNews = true;
  }

  /** The other side has ended its stream: the next read finds the end. */
  public final void endsSoon() {
    ending = true;
  }

  /** The connection is broken: what is left must be read to the end. */
  public final void breaks() {
    ending = true;
    readable = true;
    writable = false;
  }

  /**
   * Records what a read has found: less than was wanted means that the descriptor is empty. The end
   * comes with the same edge as the last bytes if it is quick, so it must be read to.
   */
  public final void found(int count, int wanted) {
    if (count < wanted && (count <= 0 || !ending)) {
      readable = false;
    }
  }

  /**
   * Turns the news into flags, under the owner's lock: a flag set outside it could be overwritten
   * by a thread whose short write came first, and the edge would be lost.
   */
  public final void absorb() {
    ending |= endNews;
    if (readNews) {
      readNews = false;
      readable = true;
    }
    if (writeNews) {
      writeNews = false;
      writable = true;
      roomFound();
    }
    if (front != null) {
      front.descriptorNews();
    }
  }

  /** The descriptor that a poller reports on: this, unless the bytes go another way. */
  public Pollable descriptor() {
    return this;
  }

  /** Its descriptor, another one, has news. */
  public void descriptorNews() {}

  /** There is room to write: no need to watch for it until the next short write. */
  protected void roomFound() {}

  /** Closes the descriptor; the caller knows that no thread is in a system call on it. */
  public abstract void close();
}
