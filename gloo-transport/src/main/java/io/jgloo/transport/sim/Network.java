package io.jgloo.transport.sim;

import io.jgloo.transport.Address;
import io.jgloo.transport.Membership;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The nodes of a world, the links between them, and which mesh lives where. */
final class Network {

  static final String DEVICE = "sim";

  private static final AtomicLong WORLDS = new AtomicLong();

  private final long world = WORLDS.incrementAndGet();
  private final Timeline timeline;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final Map<Long, Link> linksByEnds = new HashMap<>();
  private final Map<Long, SimMesh> meshes = new HashMap<>();
  private long meshIds;
  private LinkModel model = LinkModel.DEFAULT;
  private Limits limits = Limits.DEFAULT;
  private int ranksPerHost = Integer.MAX_VALUE;

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

  Link link(Node from, Node to) {
    Link link = linksByEnds.get((long) from.rank() << 32 | to.rank());
    if (link == null) {
      link = new Link(timeline, from, to, model);
      linksByEnds.put((long) from.rank() << 32 | to.rank(), link);
      links.add(link);
    }
    return link;
  }

  Link link(int from, int to) {
    return link(node(from), node(to));
  }

  /** The links from a node that have been used or set, in that order. */
  List<Link> linksFrom(Node node) {
    return links.stream().filter(link -> link.from() == node).toList();
  }

  List<Link> linksTo(Node node) {
    return links.stream().filter(link -> link.to() == node).toList();
  }

  void model(LinkModel all) {
    model = all;
    links.forEach(link -> link.model(all));
  }

  Limits limits() {
    return limits;
  }

  void limits(Limits changed) {
    limits = changed;
  }

  void ranksPerHost(int count) {
    ranksPerHost = count;
  }

  /** Identity of a node's host. */
  String host(Node node) {
    return DEVICE + "-" + world + "-host-" + node.rank() / ranksPerHost;
  }

  // Meshes and their addresses.

  SimMesh add(SimDevice device, Membership membership) {
    SimMesh mesh = new SimMesh(device, membership, meshIds++);
    meshes.put(mesh.id(), mesh);
    mesh.node().meshes().add(mesh);
    return mesh;
  }

  void forget(long mesh) {
    meshes.remove(mesh);
  }

  Address address(Node node, long mesh) {
    byte[] payload =
        ByteBuffer.allocate(20).putLong(world).putLong(mesh).putInt(node.rank()).array();
    String text = "world " + world + " rank " + node.rank() + " mesh " + mesh;
    return new Address(DEVICE, host(node), text, payload);
  }

  /** The node an address leads to, or null if it is not of this world. */
  Node node(Address address) {
    byte[] payload = address.payload();
    if (!address.device().equals(DEVICE) || payload.length != 20) {
      return null;
    }
    ByteBuffer parts = ByteBuffer.wrap(payload);
    int rank = parts.getInt(16);
    return parts.getLong(0) == world && rank >= 0 && rank < nodes.size() ? nodes.get(rank) : null;
  }

  /** The mesh that lives at an address, or null if there is none any more. */
  SimMesh mesh(Address address) {
    Node node = node(address);
    SimMesh mesh = node == null ? null : meshes.get(ByteBuffer.wrap(address.payload()).getLong(8));
    return mesh == null || mesh.node() != node || node.hasCrashed() ? null : mesh;
  }
}
