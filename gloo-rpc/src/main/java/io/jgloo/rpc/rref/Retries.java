package io.jgloo.rpc.rref;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.message.ControlChannel;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends control messages, and sends those again that stay without an answer.
 *
 * <p>The channel sends again by itself as long as it knows the peer, so a message is repeated here
 * only when the channel has given it up, or has delivered it and no answer came.
 *
 * <p><i>Threads</i>: {@link #send} any, {@link #sweep} one.
 */
final class Retries {

  /** A request in the outbox, as far as the sweeps have seen it. */
  private static final class Attempt {
    int count = 1;
    long nextAt;
    long gap;
  }

  private static final double FACTOR = 1.5;

  private final RRefs refs;
  private final ControlChannel channel;
  private final Map<Message.Key, Attempt> attempts = new HashMap<>();

  /** Requests that the channel has not delivered or given up yet. */
  private final Set<Message.Key> underWay = ConcurrentHashMap.newKeySet();

  Retries(RRefs refs, ControlChannel channel) {
    this.refs = refs;
    this.channel = channel;
  }

  void send(AgentId to, Message message) {
    if (message instanceof Message.Request request) {
      underWay.add(request.key());
      var unused =
          channel
              .send(to, RRefs.CONTROL_KIND, ControlCodec.encode(message))
              .whenComplete((nothing, failure) -> ended(request, failure));
    } else {
      var unused = channel.send(to, RRefs.CONTROL_KIND, ControlCodec.encode(message));
    }
  }

  private void ended(Message.Request request, Throwable failure) {
    underWay.remove(request.key());
    if (failure == null) {
      refs.tables().apply(new Event.Acknowledged(request.key()));
    }
  }

  /** Repeats what is due, and gives up what was repeated often enough. */
  void sweep(long now) {
    var outbox = refs.tables().state().outbox();
    attempts.keySet().removeIf(key -> !outbox.contains(key));
    outbox.forEach(
        (key, request) -> {
          boolean control =
              !(request instanceof Message.RemoteCall) && !(request instanceof Message.Fetch);
          if (control && !underWay.contains(key)) {
            attempt(now, request);
          }
        });
  }

  private void attempt(long now, Message.Request request) {
    Attempt attempt = attempts.get(request.key());
    if (attempt == null) {
      attempt = new Attempt();
      attempt.gap = refs.options().retryGap().toNanos();
      attempt.nextAt = now + attempt.gap;
      attempts.put(request.key(), attempt);
    } else if (now - attempt.nextAt >= 0) {
      attempt.gap = (long) (attempt.gap * FACTOR);
      attempt.nextAt = now + attempt.gap;
      if (attempt.count++ < refs.options().attempts()) {
        send(request.to(), request);
      } else {
        refs.tables().apply(new Event.GivenUp(request.key()));
      }
    }
  }
}
