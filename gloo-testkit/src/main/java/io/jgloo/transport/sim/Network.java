package io.jgloo.transport.sim;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The nodes of a world, the paths between them, and the listening sockets. */
final class Network {

  static final String DEVICE = "sim";

  private static final AtomicLong WORLDS = new AtomicLong();
  private static final int FIRST_PORT = 1024;

  private final long world = WORLDS.incrementAndGet();
  private final Timeline timeline;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Long, NetworkPath> paths = new HashMap<>();
  private final Map<InetSocketAddress, SimAcceptor> acceptors = new HashMap<>();
  private LinkModel model = LinkModel.DEFAULT;
  private int ranksPerHost = Integer.MAX_VALUE;
  private int ports = FIRST_PORT;

  Network(Timeline timeline) {
    this.timeline = timeline;
  }

  Node addNode() {
    Node node = new Node(nodes.size());
    nodes.add(node);
    return node;
  }

  int size() {
    return nodes.size();
  }

  /**
   * @throws IllegalArgumentException if there is no such rank
   */
  Node node(int rank) {
    if (rank < 0 || rank >= nodes.size()) {
      throw new IllegalArgumentException(
          "rank must be 0 to %d, but is %d".formatted(nodes.size() - 1, rank));
    }
    return nodes.get(rank);
  }

  NetworkPath path(Node from, Node to) {
    long ends = (long) from.rank() << 32 | to.rank();
    return paths.computeIfAbsent(ends, key -> new NetworkPath(timeline, model));
  }

  NetworkPath path(int from, int to) {
    return path(node(from), node(to));
  }

  void model(LinkModel all) {
    model = all;
    paths.values().forEach(path -> path.model(all));
  }

  void ranksPerHost(int count) {
    ranksPerHost = count;
  }

  /** Identity of a node's host. */
  String host(Node node) {
    return DEVICE + "-" + world + "-host-" + node.rank() / ranksPerHost;
  }

  /** Address of a node's host. */
  InetAddress ip(Node node) {
    int host = 1 + node.rank() / ranksPerHost;
    byte[] ip = {10, (byte) (host >> 16), (byte) (host >> 8), (byte) host};
    try {
      return InetAddress.getByAddress(ip);
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }

  /** A port that nothing in this world has used; it need not fit what is left of 16 bits. */
  int newPort() {
    ports = ports == 65535 ? FIRST_PORT : ports + 1;
    return ports;
  }

  void listens(SimAcceptor acceptor) {
    acceptors.put(acceptor.localAddress(), acceptor);
  }

  /** What listens at an address, or last did; null if nothing ever has. */
  @Nullable SimAcceptor acceptor(InetSocketAddress address) {
    return acceptors.get(address);
  }
}
