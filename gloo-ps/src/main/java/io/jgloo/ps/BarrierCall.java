package io.jgloo.ps;

import io.jgloo.rpc.message.AgentId;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.Priority;
import io.jgloo.transport.Clock;
import io.jgloo.transport.GlooException;
import java.time.Duration;
import java.util.List;

/**
 * A call of a barrier at a node: enters at the scheduler and waits, or leaves at the timeout.
 *
 * <p><i>Threads</i>: one.
 */
final class BarrierCall {

  private static final Duration ASK = Duration.ofSeconds(2);

  private final PsNode node;
  private final int group;
  private final Duration timeout;

  BarrierCall(PsNode node, int group, Duration timeout) {
    this.node = node;
    this.group = group;
    this.timeout = timeout;
  }

  /** Returns when the group has passed; throws as {@link PsNode#barrier}. */
  void run() {
    long deadline = node.now() + Clock.nanos(timeout);
    Outcome entered = new Outcome();
    PendingCall call = ask(Barriers.ENTER, deadline + Clock.nanos(ASK) * 2, entered);
    node.await(entered::isDone, deadline);
    if (!entered.isDone()) {
      Outcome left = new Outcome();
      long end = node.now() + Clock.nanos(ASK);
      PendingCall unused = ask(Barriers.LEAVE, end, left);
      node.await(left::isDone, end + Clock.nanos(ASK));
      call.cancel();
      if (left.isDone() && left.failure() == null && left.status() == Barriers.PASSED) {
        return;
      }
      throw late(left);
    }
    if (entered.failure() != null) {
      throw node.isUp(NodeId.SCHEDULER) ? entered.failure() : node.lost(NodeId.SCHEDULER);
    }
    if (entered.status() != Barriers.PASSED) {
      throw new IllegalStateException(Barriers.text(entered.reply()));
    }
  }

  private PendingCall ask(byte action, long deadline, Outcome outcome) {
    AgentId scheduler = node.agent(NodeId.SCHEDULER);
    if (scheduler == null) {
      throw node.lost(NodeId.SCHEDULER);
    }
    return node.messenger()
        .request(
            scheduler,
            Barriers.SERVICE,
            Barriers.request(action, group),
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
      GlooException loss = node.loss(each);
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
