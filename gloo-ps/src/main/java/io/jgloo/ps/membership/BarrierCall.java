package io.jgloo.ps.membership;

import io.jgloo.ps.node.BarrierTimeoutException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.List;

/**
 * A call of a barrier at a node: enters at the scheduler and waits, or leaves at the timeout.
 *
 * <p><i>Threads</i>: one.
 */
public final class BarrierCall {

  private static final Duration ASK = Duration.ofSeconds(2);

  private final Members members;
  private final int group;
  private final int customer;
  private final Duration timeout;

  public BarrierCall(Members members, int group, int customer, Duration timeout) {
    this.members = members;
    this.group = group;
    this.customer = customer;
    this.timeout = timeout;
  }

  /** Returns when the group has passed; throws as {@code PsNode.barrier}. */
  public void run() {
    long deadline = members.now() + Clock.nanos(timeout);
    Outcome entered = new Outcome();
    PendingCall call = ask(Barriers.ENTER, deadline + Clock.nanos(ASK) * 2, entered);
    members.await(entered::isDone, deadline);
    if (!entered.isDone()) {
      Outcome left = new Outcome();
      long end = members.now() + Clock.nanos(ASK);
      PendingCall unused = ask(Barriers.LEAVE, end, left);
      members.await(left::isDone, end + Clock.nanos(ASK));
      call.cancel();
      if (left.isDone() && left.failure() == null && left.status() == Barriers.PASSED) {
        return;
      }
      throw late(left);
    }
    if (entered.failure() != null) {
      throw members.isUp(NodeId.SCHEDULER) ? entered.failure() : members.lost(NodeId.SCHEDULER);
    }
    if (entered.status() != Barriers.PASSED) {
      throw new IllegalStateException(Barriers.text(entered.reply()));
    }
  }

  private PendingCall ask(byte action, long deadline, Outcome outcome) {
    AgentId scheduler = members.agent(NodeId.SCHEDULER);
    if (scheduler == null) {
      throw members.lost(NodeId.SCHEDULER);
    }
    return members
        .messenger()
        .request(
            scheduler,
            Barriers.SERVICE,
            Barriers.request(action, group, customer),
            Priority.HIGH,
            deadline,
            outcome);
  }

  private BarrierTimeoutException late(Outcome left) {
    List<NodeId> missing = List.of();
    if (left.isDone() && left.failure() == null) {
      missing = Barriers.missing(left.reply());
    }
    StringBuilder text = new StringBuilder();
    for (NodeId each : missing) {
      JGlooException loss = members.loss(each);
      text.append(text.isEmpty() ? "" : ", ").append(each);
      text.append(loss == null ? "" : " (" + loss.getMessage() + ")");
    }
    String names = missing.isEmpty() ? "the scheduler did not answer" : text.toString();
    return new BarrierTimeoutException(
        "barrier of group " + group + " not passed after " + timeout + ", missing: " + names,
        missing,
        left.failure());
  }
}
