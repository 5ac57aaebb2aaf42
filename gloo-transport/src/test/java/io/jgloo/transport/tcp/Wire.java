package io.jgloo.transport.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** One connection through a {@link FaultProxy}: two sockets and a pipe each way. */
public final class Wire {

  private final SocketChannel dialler;
  private final SocketChannel listener;
  private final Pipe toListener;
  private final Pipe toDialler;
  private volatile boolean resetWanted;
  private volatile boolean gone;
  private volatile boolean replaced;

  Wire(SocketChannel dialler, SocketChannel listener, Shape shape, boolean recording)
      throws IOException {
    this.dialler = dialler;
    this.listener = listener;
    for (SocketChannel each : new SocketChannel[] {dialler, listener}) {
      each.configureBlocking(false);
      each.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    toListener = new Pipe(dialler, listener, shape, recording);
    toDialler = new Pipe(listener, dialler, shape, recording);
  }

  /** What the rank that dialled says. */
  public Pipe toListener() {
    return toListener;
  }

  /** What the rank that listens says. */
  public Pipe toDialler() {
    return toDialler;
  }

  /** Breaks the connection: both sides get a reset. */
  public void reset() {
    resetWanted = true;
  }

  /** Whether both sides have been closed. */
  public boolean isGone() {
    return gone;
  }

  /** Called when a connection is made after this one. */
  void replaceIfEnded() {
    if (gone || toListener.hasEnded()) {
      replaced = true;
    }
  }

  /** Whether it had ended when another one was made. */
  boolean isReplaced() {
    return replaced;
  }

  boolean pump() {
    if (gone) {
      return false;
    }
    try {
      boolean moved = toListener.pump();
      moved = toDialler.pump() || moved;
      if (resetWanted || toListener.isCut() || toDialler.isCut()) {
        dropByReset();
      } else if (toListener.hasEnded() && toDialler.hasEnded()) {
        drop();
      }
      return moved;
    } catch (IOException e) {
      dropByReset(); // one side was reset, and so is the other
      return true;
    }
  }

  private void dropByReset() {
    try {
      dialler.setOption(StandardSocketOptions.SO_LINGER, 0);
      listener.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      // It is closed already.
    }
    drop();
  }

  void drop() {
    gone = true;
    close(dialler);
    close(listener);
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone whatever close reports.
    }
  }
}
