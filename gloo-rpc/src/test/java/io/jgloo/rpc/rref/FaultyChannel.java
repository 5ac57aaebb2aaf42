package io.jgloo.rpc.rref;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.message.ControlChannel;
import io.jgloo.rpc.rref.protocol.Message;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A control channel that loses messages for good, as the agent's own never does. */
final class FaultyChannel implements ControlChannel {

  private final ControlChannel channel;
  private final Predicate<Message> lost;
  private final BooleanSupplier leaseLost;

  /**
   * @param lost looks at each message once
   */
  FaultyChannel(ControlChannel channel, Predicate<Message> lost) {
    this(channel, lost, () -> false);
  }

  /**
   * @param lost looks at each message once
   * @param leaseLost whether leases are not renewed
   */
  FaultyChannel(ControlChannel channel, Predicate<Message> lost, BooleanSupplier leaseLost) {
    this.channel = channel;
    this.lost = lost;
    this.leaseLost = leaseLost;
  }

  @Override
  public AgentId self() {
    return channel.self();
  }

  @Override
  public void handle(int kind, Handler handler) {
    channel.handle(kind, handler);
  }

  @Override
  public CompletableFuture<Void> send(AgentId to, int kind, byte[] content) {
    boolean isLost =
        ControlCodec.isLease(content)
            ? leaseLost.getAsBoolean()
            : lost.test(ControlCodec.decode(content));
    return isLost
        ? CompletableFuture.failedFuture(new OutcomeUnknownException("lost by the test", null))
        : channel.send(to, kind, content);
  }
}
