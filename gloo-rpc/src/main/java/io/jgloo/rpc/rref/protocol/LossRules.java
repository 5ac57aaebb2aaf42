package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an agent does when another is lost: nothing that a lost incarnation held or owned stays, and
 * no message of it changes anything any more.
 */
final class LossRules {

  private final RRefTables tables;

  LossRules(RRefTables tables) {
    this.tables = tables;
  }

  /** An incarnation was seen: all before it are lost. */
  void seen(AgentId peer) {
    Long newest = tables.incarnations.get(peer.rank());
    if (newest == null || newest < peer.incarnation()) {
      fence(peer.rank(), peer.incarnation());
    }
  }

  void lost(AgentId peer) {
    if (!tables.isFenced(peer)) {
      fence(peer.rank(), peer.incarnation() + 1);
      // If it lives after all, it learns that its references here are gone.
      tables.send(peer, new Message.Fenced());
    }
  }

  private void fence(int rank, long newest) {
    tables.incarnations.put(rank, newest);
    List.copyOf(tables.users.keySet()).forEach(fork -> endAtUser(fork, rank));
    for (ForkId child : List.copyOf(tables.children.keySet())) {
      if (isOf(child.holder(), rank) || isOf(child.owner(), rank)) {
        tables.user.release(child);
      }
    }
    List.copyOf(tables.owners.keySet()).forEach(ref -> endAtOwner(ref, rank));
    tables.outbox.values().removeIf(request -> isOf(request.to(), rank));
    tables.finished.keySet().removeIf(path -> isOf(path.holder(), rank));
  }

  private boolean isOf(AgentId agent, int rank) {
    return agent.rank() == rank && tables.isFenced(agent);
  }

  private void endAtUser(ForkId fork, int rank) {
    User user = tables.users.get(fork);
    if (user == null || !isOf(fork.owner(), rank) || !user.isUsable()) {
      return;
    }
    tables.user.fail(fork, User.Status.REFUSED, Reason.OWNER_LOST);
    if (user.status() == User.Status.PENDING && !fork.isRoot()) {
      tables.request(new Message.ChildAccept(fork));
    }
  }

  private void endAtOwner(RRefId ref, int rank) {
    Owned owned = tables.owners.get(ref);
    if (owned != null) {
      Stream.concat(owned.parked().stream().map(Message.Fetch::fork), owned.forks().stream())
          .filter(fork -> isOf(fork.holder(), rank))
          .toList()
          .forEach(tables.owner::delete);
      tables.owner.failIfDead(ref);
    }
  }
}
