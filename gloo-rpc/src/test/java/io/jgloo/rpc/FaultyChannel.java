package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.message.ControlChannel;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A control channel on which leases may be lost, as the agent's own never loses any.
 *
 * @param leaseLost whether leases are not renewed
 */
record FaultyChannel(ControlChannel channel, BooleanSupplier leaseLost) implements ControlChannel {

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
    return ControlCodec.isLease(content) && leaseLost.getAsBoolean()
        ? CompletableFuture.completedFuture(null)
        : channel.send(to, kind, content);
  }
}
