package io.jgloo.ps.membership;

import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The barriers at the scheduler: for each group and customer, the nodes that have called and not
 * yet passed.
 *
 * <p>A request is u8 ENTER or LEAVE, u8 group, i32 customer. ENTER is answered when all nodes of
 * the group have entered; LEAVE at once, with the numbers of the nodes that are missing.
 *
 * <p><i>Threads</i>: the one that runs the messenger's events.
 */
public final class Barriers {

  public static final int SERVICE = 0x5001;
  private static final int REQUEST_BYTES = 6;
  static final byte ENTER = 1;
  static final byte LEAVE = 2;
  static final int PASSED = 0;
  static final int REFUSED = 1;
  static final int MISSING = 2;

  private final Topology topology;

  private record Barrier(int group, int customer) {}

  /** By barrier, then by the rank of the agent. */
  private final Map<Barrier, Map<Integer, IncomingRequest>> entered = new HashMap<>();

  public Barriers(Topology topology) {
    this.topology = topology;
  }

  static Message request(byte action, int group, int customer) {
    ByteBuffer out = KvProtocol.allocate(REQUEST_BYTES).put(action).put((byte) group);
    return KvProtocol.message(out.putInt(customer), List.of());
  }

  public void received(IncomingRequest request) {
    Message message = request.message();
    ByteBuffer in = KvProtocol.buffer(message);
    boolean isWhole = message.length() == REQUEST_BYTES;
    byte action = isWhole ? in.get() : 0;
    int group = isWhole ? in.get() : 0;
    int customer = isWhole ? in.getInt() : 0;
    message.close();
    if ((action != ENTER && action != LEAVE) || group < 1 || group > Topology.ALL) {
      request.refuse("malformed request for a barrier");
    } else if (request.begin()) {
      int agent = request.from().rank();
      if (action == ENTER) {
        enter(new Barrier(group, customer), agent, request);
      } else {
        leave(new Barrier(group, customer), agent, request);
      }
    }
  }

  private void enter(Barrier barrier, int agent, IncomingRequest request) {
    int group = barrier.group;
    Map<Integer, IncomingRequest> here =
        entered.computeIfAbsent(barrier, key -> new LinkedHashMap<>());
    NodeId node = topology.node(agent);
    if (!Topology.hasRole(group, node.role())) {
      request.reply(REFUSED, text(node + " is not in group " + group));
    } else if (here.containsKey(agent)) {
      request.reply(REFUSED, text(node + " waits at the barrier of group " + group + " already"));
    } else {
      here.put(agent, request);
      if (here.size() == topology.nodes(group).size()) {
        List<IncomingRequest> all = List.copyOf(here.values());
        entered.remove(barrier);
        all.forEach(each -> each.reply(PASSED, numbers(List.of())));
      }
    }
  }

  private void leave(Barrier barrier, int agent, IncomingRequest request) {
    int group = barrier.group;
    Map<Integer, IncomingRequest> here =
        entered.computeIfAbsent(barrier, key -> new LinkedHashMap<>());
    IncomingRequest own = here.get(agent);
    if (own == null || !own.from().equals(request.from())) {
      request.reply(PASSED, numbers(List.of()));
      return;
    }
    List<NodeId> missing = new ArrayList<>(topology.nodes(group));
    missing.removeIf(node -> here.containsKey(topology.agent(node)));
    here.remove(agent);
    own.reply(MISSING, numbers(List.of()));
    request.reply(MISSING, numbers(missing));
  }

  /** A node is lost: it has not entered. */
  public void lost(AgentId agent) {
    for (Map<Integer, IncomingRequest> here : entered.values()) {
      here.values().removeIf(request -> request.from().equals(agent));
    }
  }

  static List<NodeId> missing(Message reply) {
    ByteBuffer in = KvProtocol.buffer(reply);
    List<NodeId> nodes = new ArrayList<>();
    while (in.remaining() >= Integer.BYTES) {
      nodes.add(NodeId.of(in.getInt()));
    }
    return nodes;
  }

  public static String text(Message reply) {
    return new String(reply.bytes(), reply.offset(), reply.length(), StandardCharsets.UTF_8);
  }

  public static Message text(String text) {
    return Message.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Message numbers(List<NodeId> nodes) {
    ByteBuffer out = KvProtocol.allocate(Integer.BYTES * nodes.size());
    nodes.forEach(node -> out.putInt(node.number()));
    return KvProtocol.message(out, List.of());
  }
}
