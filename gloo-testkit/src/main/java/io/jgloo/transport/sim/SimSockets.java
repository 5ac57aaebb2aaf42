package io.jgloo.transport.sim;

import io.jgloo.transport.Wire;
import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Poller;
import io.jgloo.transport.tcp.socket.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The sockets of one device of a simulated rank. */
final class SimSockets extends Sockets {

  private final Scheduler scheduler;
  private final Network network;
  private final Node node;
  private final boolean edgeTriggered;

  /**
   * @param edgeTriggered whether pollers report as epoll, or else as a selector
   */
  SimSockets(Scheduler scheduler, Network network, Node node, boolean edgeTriggered) {
    this.scheduler = scheduler;
    this.network = network;
    this.node = node;
    this.edgeTriggered = edgeTriggered;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Network network() {
    return network;
  }

  Node node() {
    return node;
  }

  boolean isEdgeTriggered() {
    return edgeTriggered;
  }

  @Override
  public String name() {
    return edgeTriggered ? "epoll" : "nio";
  }

  @Override
  public Poller newPoller() {
    return new SimPoller(this);
  }

  @Override
  public Acceptor listen(InetSocketAddress address, int backlog, String congestionControl)
      throws IOException {
    scheduler.lock.lock();
    try {
      takeDescriptor();
      int port = address.getPort() == 0 ? network.newPort() : address.getPort();
      InetSocketAddress bound = new InetSocketAddress(address.getAddress(), port);
      SimAcceptor acceptor = new SimAcceptor(this, bound, backlog);
      network.listens(acceptor);
      node.acceptors().add(acceptor);
      return acceptor;
    } finally {
      scheduler.lock.unlock();
    }
  }

  @Override
  public Link dial(InetSocketAddress address, String congestionControl) throws IOException {
    scheduler.lock.lock();
    try {
      takeDescriptor();
      SimLink link = new SimLink(this, new InetSocketAddress(network.ip(node), network.newPort()));
      node.links().add(link);
      link.connect(address);
      return link;
    } finally {
      scheduler.lock.unlock();
    }
  }

  /**
   * @throws IOException if the rank has as many sockets open as it may
   */
  void takeDescriptor() throws IOException {
    if (!node.hasDescriptor()) {
      throw new IOException("Too many open files");
    }
  }

  @Override
  public @Nullable String defaultCongestionControl() {
    return null;
  }

  @Override
  public boolean areFiles() {
    return false;
  }

  @Override
  public String host(Wire wire) {
    return network.host(node);
  }

  @Override
  public boolean isOwn(InetAddress address) {
    return address.equals(network.ip(node));
  }

  @Override
  public String toString() {
    return "sockets of " + node;
  }
}
