package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * What an agent does when another is lost: nothing that a lost incarnation held or owned stays, and
 * no message of it changes anything any more.
 */
final class LossRules {

  private final Turn turn;

  LossRules(Turn turn) {
    this.turn = turn;
  }

  /** An incarnation was seen: all before it are lost. */
  void seen(AgentId peer) {
    Long newest = turn.incarnations.get(peer.rank());
    if (newest == null || newest < peer.incarnation()) {
      fence(peer.rank(), peer.incarnation());
    }
  }

  void lost(AgentId peer) {
    if (!turn.isFenced(peer)) {
      fence(peer.rank(), peer.incarnation() + 1);
      // If it lives after all, it learns that its references here are gone.
      turn.send(peer, new Message.Fenced());
    }
  }

  private void fence(int rank, long newest) {
    turn.incarnations = turn.incarnations.with(rank, newest);
    turn.users.forEach((fork, user) -> endAtUser(fork, rank));
    turn.children.forEach(
        (child, parent) -> {
          if (isOf(child.holder(), rank) || isOf(child.owner(), rank)) {
            turn.user.release(child);
          }
        });
    turn.owners.forEach((ref, owned) -> endAtOwner(ref, owned, rank));
    turn.outbox.forEach(
        (key, request) -> {
          if (isOf(request.to(), rank)) {
            turn.outbox = turn.outbox.without(key);
          }
        });
    turn.finished.forEach(
        (path, numbers) -> {
          if (isOf(path.holder(), rank)) {
            turn.finished = turn.finished.without(path);
          }
        });
  }

  private boolean isOf(AgentId agent, int rank) {
    return agent.rank() == rank && turn.isFenced(agent);
  }

  private void endAtUser(ForkId fork, int rank) {
    User user = turn.users.get(fork);
    if (user == null || !isOf(fork.owner(), rank) || !user.isUsable()) {
      return;
    }
    turn.user.fail(fork, User.Status.REFUSED, Reason.OWNER_LOST);
    if (user.status() == User.Status.PENDING && !fork.isRoot()) {
      turn.request(new Message.ChildAccept(fork));
    }
  }

  private void endAtOwner(RRefId ref, Owned owned, int rank) {
    owned.parked().stream()
        .filter(fetch -> isOf(fetch.fork().holder(), rank))
        .forEach(fetch -> turn.owner.delete(fetch.fork()));
    owned
        .forks()
        .forEach(
            (fork, known) -> {
              if (isOf(fork.holder(), rank)) {
                turn.owner.delete(fork);
              }
            });
    turn.owner.failIfDead(ref);
  }
}
