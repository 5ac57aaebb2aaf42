package io.jgloo.transport.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * Delivers abort notices to several listeners at the same time: connects, writes, waits for the
 * answer, so that closing does not take the notice back.
 *
 * <p><i>Threads</i>: one. <i>Owns</i>: the connections.
 */
final class Notices implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Notices.class.getName());

  private final Selector selector = Selector.open();

  Notices() throws IOException {}

  /** One notice under way. */
  private static final class Delivery {
    private final Endpoint to;
    private final ByteBuffer unsent;
    private final ByteBuffer answer = ByteBuffer.allocate(Welcome.BYTES);

    Delivery(Endpoint to, byte[] request) {
      this.to = to;
      unsent = ByteBuffer.wrap(request);
    }
  }

  /** Starts to deliver one; if that cannot be, the others are delivered still. */
  void add(Endpoint to, byte[] request) {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_CONNECT, new Delivery(to, request));
      if (channel.connect(to.listener())) {
        channel.keyFor(selector).interestOps(SelectionKey.OP_WRITE);
      }
    } catch (IOException | RuntimeException e) {
      end(channel, to, e.getMessage());
    }
  }

  /** Goes on until all have been answered or have failed, or the time is over. */
  void deliver(long millis) throws IOException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; left > 0 && isBusy(); ) {
      selector.select(this::proceed, left);
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
  }

  private boolean isBusy() {
    return selector.keys().stream().anyMatch(SelectionKey::isValid);
  }

  private void proceed(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    Delivery delivery = (Delivery) key.attachment();
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        key.interestOps(SelectionKey.OP_WRITE);
      } else if (key.isWritable()) {
        channel.write(delivery.unsent);
        key.interestOps(
            delivery.unsent.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
      } else if (channel.read(delivery.answer) < 0 || !delivery.answer.hasRemaining()) {
        channel.close();
      }
    } catch (IOException | RuntimeException e) {
      end(channel, delivery.to, e.getMessage());
    }
  }

  private static void end(SocketChannel channel, Endpoint to, String cause) {
    LOG.log(Level.DEBUG, "{0} could not be told of an abort: {1}", to, cause);
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The descriptor is gone whatever close reports.
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
