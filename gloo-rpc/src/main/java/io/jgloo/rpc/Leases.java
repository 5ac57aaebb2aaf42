package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.message.ControlChannel;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.RRefTables;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Leases: a holder renews one for each owner, and an owner that does not hear of a holder in time
 * takes its incarnation for lost, with all its forks.
 *
 * <p><i>Threads</i>: {@link #renewed} any, {@link #sweep} one.
 */
final class Leases {

  private final RRefs refs;
  private final ControlChannel channel;
  private final long lengthNanos;

  /** When each holder was heard of, or its first fork seen. */
  private final Map<AgentId, Long> renewals = new ConcurrentHashMap<>();

  private long nextAt;
  private long sweptAt;

  /**
   * @param lengthNanos 0 for no leases
   */
  Leases(RRefs refs, ControlChannel channel, long lengthNanos) {
    this.refs = refs;
    this.channel = channel;
    this.lengthNanos = lengthNanos;
    nextAt = refs.messenger().clock().nanoTime();
    sweptAt = nextAt;
  }

  void renewed(AgentId holder) {
    renewals.replace(holder, refs.messenger().clock().nanoTime());
  }

  void sweep(long now) {
    if (lengthNanos == 0) {
      return;
    }
    if (now - sweptAt > lengthNanos / 3) { // this process was stopped: renewals may wait unread
      renewals.replaceAll((holder, renewed) -> now);
    }
    sweptAt = now;
    if (now - nextAt >= 0) {
      nextAt = now + lengthNanos / 3;
      for (AgentId owner : agents(tables -> tables.users().keySet().stream().map(ForkId::owner))) {
        var unused = channel.send(owner, RRefs.CONTROL_KIND, ControlCodec.lease());
      }
    }
    Set<AgentId> holders =
        agents(
            tables ->
                tables.owners().values().stream()
                    .flatMap(owned -> owned.forks().stream())
                    .map(ForkId::holder));
    holders.remove(refs.self());
    renewals.keySet().retainAll(holders);
    for (AgentId holder : holders) {
      Long renewed = renewals.putIfAbsent(holder, now);
      if (renewed != null && now - renewed > lengthNanos) {
        renewals.remove(holder);
        refs.tables().apply(new Event.PeerLost(holder));
      }
    }
  }

  private Set<AgentId> agents(Function<RRefTables, Stream<AgentId>> found) {
    return refs.tables().read(tables -> found.apply(tables).collect(Collectors.toSet()));
  }
}
