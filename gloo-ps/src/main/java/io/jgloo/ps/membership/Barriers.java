package io.jgloo.ps.membership;

import io.jgloo.ps.node.BarrierTimeoutException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import java.nio.ByteBuffer;
import java.time.Duration;
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
 * <p><i>Threads</i>: the one that runs the messenger's events; any for {@link #await}.
 */
public final class Barriers {

  public static final int SERVICE = 0x5001;
  private static final int REQUEST_BYTES = 6;
  private static final long ASK_NANOS = 2_000_000_000L;
  private static final byte ENTER = 1;
  private static final byte LEAVE = 2;
  private static final int PASSED = 0;
  private static final int REFUSED = 1;
  private static final int MISSING = 2;

  private final Topology topology;

  private record Barrier(int group, int customer) {}

  /** By barrier, then by the rank of the agent. */
  private final Map<Barrier, Map<Integer, IncomingRequest>> entered = new HashMap<>();

  public Barriers(Topology topology) {
    this.topology = topology;
  }

  /** Waits at a barrier, as {@code PsNode.barrier}. */
  public static void await(Members members, int group, int customer, Duration timeout) {
    long deadline = members.now() + Clock.nanos(timeout);
    Outcome entered = ask(members, ENTER, group, customer, deadline + 2 * ASK_NANOS);
    if (!members.await(entered::isDone, deadline)) {
      long end = members.now() + ASK_NANOS;
      Outcome left = ask(members, LEAVE, group, customer, end);
      members.await(left::isDone, end + ASK_NANOS);
      entered.giveUp();
      boolean isAnswered = left.isDone() && left.failure() == null;
      Outcome.Reply reply = isAnswered ? left.join() : null;
      if (reply == null || reply.status() != PASSED) {
        throw late(members, group, timeout, reply, left.failure());
      }
    } else if (entered.failure() != null) {
      throw members.isUp(NodeId.SCHEDULER) ? entered.failure() : members.lost(NodeId.SCHEDULER);
    } else if (entered.join().status() != PASSED) {
      throw new IllegalStateException(entered.join().text());
    }
  }

  private static Outcome ask(
      Members members, byte action, int group, int customer, long deadlineNanos) {
    AgentId scheduler = members.agent(NodeId.SCHEDULER);
    if (scheduler == null) {
      throw members.lost(NodeId.SCHEDULER);
    }
    ByteBuffer out = KvProtocol.allocate(REQUEST_BYTES).put(action).put((byte) group);
    Message message = KvProtocol.message(out.putInt(customer), List.of());
    return members.request(scheduler, SERVICE, message, Priority.HIGH, deadlineNanos);
  }

  private static BarrierTimeoutException late(
      Members members, int group, Duration timeout, Outcome.Reply left, JGlooException cause) {
    List<NodeId> missing = new ArrayList<>();
    StringBuilder names = new StringBuilder();
    ByteBuffer in = left == null ? KvProtocol.allocate(0) : KvProtocol.buffer(left.message());
    while (in.remaining() >= Integer.BYTES) {
      NodeId node = NodeId.of(in.getInt());
      JGlooException loss = members.loss(node);
      names.append(missing.isEmpty() ? "" : ", ").append(node);
      names.append(loss == null ? "" : " (" + loss.getMessage() + ")");
      missing.add(node);
    }
    return new BarrierTimeoutException(
        ("barrier of group " + group + " not passed after " + timeout + ", missing: ")
            + (missing.isEmpty() ? "the scheduler did not answer" : names),
        missing,
        cause);
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
      request.reply(REFUSED, KvProtocol.text(node + " is not in group " + group));
    } else if (here.containsKey(agent)) {
      request.reply(
          REFUSED, KvProtocol.text(node + " waits at the barrier of group " + group + " already"));
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

  private static Message numbers(List<NodeId> nodes) {
    ByteBuffer out = KvProtocol.allocate(Integer.BYTES * nodes.size());
    nodes.forEach(node -> out.putInt(node.number()));
    return KvProtocol.message(out, List.of());
  }
}
