package io.jgloo.transport.sim;

import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A simulated listening socket; guarded by the world's lock. */
final class SimAcceptor extends Acceptor {

  private final SimSockets sockets;
  private final InetSocketAddress address;
  private final int backlog;
  private final Queue<SimLink> queue = new ArrayDeque<>();
  private @Nullable Key key;
  private boolean closed;

  SimAcceptor(SimSockets sockets, InetSocketAddress address, int backlog) {
    this.sockets = sockets;
    this.address = address;
    this.backlog = backlog;
  }

  SimSockets sockets() {
    return sockets;
  }

  Key register(SimPoller poller) {
    key = new Key(poller, this, () -> queue.isEmpty() ? 0 : Key.IN, Key.IN);
    return key;
  }

  boolean isClosed() {
    return closed;
  }

  boolean isFull() {
    return queue.size() > backlog;
  }

  /** A connection is made and may be accepted. */
  void arrived(SimLink link) {
    queue.add(link);
    if (key != null) {
      key.happened(Key.IN);
    }
  }

  @Override
  public @Nullable Link accept() throws IOException {
    sockets.scheduler().lock.lock();
    try {
      if (queue.isEmpty() || sockets.node().hasCrashed()) {
        return null;
      }
      sockets.takeDescriptor();
      SimLink link = queue.remove();
      link.accepted();
      return link;
    } finally {
      sockets.scheduler().lock.unlock();
    }
  }

  @Override
  public InetSocketAddress localAddress() {
    return address;
  }

  @Override
  public void close() {
    sockets.scheduler().scheduled(this::closeNow);
  }

  private void closeNow() {
    if (!closed) {
      closed = true;
      sockets.node().acceptors().remove(this);
      queue.forEach(SimLink::abort);
      queue.clear();
    }
  }
}
