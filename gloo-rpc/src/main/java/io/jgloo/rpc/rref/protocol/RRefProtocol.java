package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/** The protocol of remote references: a pure function from state and event to state and effects. */
public final class RRefProtocol {

  private RRefProtocol() {}

  /**
   * Applies one event.
   *
   * <p><i>Threads</i>: any; it reads nothing but its arguments and writes nothing. An agent applies
   * its events one after another and carries out the effects in their order.
   */
  public static Step step(RRefState state, Event event) {
    Turn turn = new Turn(state);
    if (event instanceof Event.Received received) {
      receive(turn, received.from(), received.message());
    } else if (event instanceof Event.Acknowledged acknowledged) {
      acknowledged(turn, acknowledged.request());
    } else if (event instanceof Event.CreationFailed failed) {
      creationFailed(turn, failed.root());
    } else if (event instanceof Event.PeerSeen seen) {
      turn.loss.seen(seen.peer());
    } else if (event instanceof Event.PeerLost lost) {
      turn.loss.lost(lost.peer());
    } else if (event instanceof Event.Arrived arrived) {
      turn.arrival.arrived(arrived);
    } else {
      apply(turn, event);
    }
    return new Step(turn.state(), turn.effects);
  }

  /** What the application does. */
  private static void apply(Turn turn, Event event) {
    if (event instanceof Event.OwnerCreated created) {
      turn.owner.created(created);
    } else if (event instanceof Event.ValueSet set) {
      turn.owner.valueSet(set);
    } else if (event instanceof Event.OwnerOpened opened) {
      turn.owner.handles(opened.ref(), 1);
    } else if (event instanceof Event.OwnerClosed closed) {
      turn.owner.handles(closed.ref(), -1);
    } else if (event instanceof Event.OwnerForked forked) {
      turn.owner.forked(forked);
    } else if (event instanceof Event.UserCreated created) {
      turn.user.created(created);
    } else if (event instanceof Event.UserClosed closed) {
      turn.user.closed(closed.fork());
    } else if (event instanceof Event.UserForked forked) {
      turn.user.forked(forked);
    } else if (event instanceof Event.FetchAsked asked) {
      turn.user.fetchAsked(asked);
    } else if (event instanceof Event.FetchAbandoned abandoned) {
      turn.user.fetchEnded(abandoned.fork(), abandoned.ticket(), null);
    } else if (event instanceof Event.ForkNotDelivered lost) {
      notDelivered(turn, lost.child());
    } else if (event instanceof Event.ForkUnknown unknown) {
      unknown(turn, unknown.child());
    } else {
      throw new AssertionError(event);
    }
  }

  private static void receive(Turn turn, AgentId from, Message message) {
    if (turn.isFenced(from)) {
      if (!(message instanceof Message.Fenced)) {
        turn.send(from, new Message.Fenced());
      }
      return;
    }
    turn.loss.seen(from);
    if (message instanceof Message.RemoteCall call) {
      turn.owner.remoteCall(from, call);
    } else if (message instanceof Message.Fetch fetch) {
      turn.owner.fetch(from, fetch);
    } else if (message instanceof Message.ForkRequest request) {
      turn.owner.forkRequest(from, request);
    } else if (message instanceof Message.UserDelete delete) {
      turn.owner.userDelete(from, delete);
    } else if (message instanceof Message.Cancel cancel) {
      turn.owner.cancel(from, cancel);
    } else if (message instanceof Message.UserAccept accept) {
      turn.user.userAccept(from, accept);
    } else if (message instanceof Message.ForkReply reply) {
      turn.user.forkReply(from, reply);
    } else if (message instanceof Message.FetchReply reply) {
      turn.user.fetchReply(from, reply);
    } else if (message instanceof Message.ChildAccept accept) {
      turn.user.childAccept(from, accept);
    } else if (message instanceof Message.Withdraw withdraw) {
      turn.arrival.withdraw(from, withdraw);
    } else {
      turn.loss.lost(from);
    }
  }

  /** A request whose answer has a content waits for that answer, not for the acknowledgement. */
  private static void acknowledged(Turn turn, Message.Key request) {
    Class<?> kind = request.kind();
    if (kind != Message.RemoteCall.class
        && kind != Message.ForkRequest.class
        && kind != Message.Fetch.class) {
      turn.outbox = turn.outbox.without(request);
    }
  }

  private static void creationFailed(Turn turn, ForkId root) {
    if (turn.answered(Message.RemoteCall.class, root, 0) instanceof Message.RemoteCall call) {
      turn.user.fail(root, User.Status.FAILED, Reason.CREATION_FAILED);
      call.arguments().forEach(argument -> unknown(turn, argument));
    }
  }

  private static void notDelivered(Turn turn, ForkId child) {
    if (child.owner().equals(turn.self)) {
      turn.owner.delete(child);
    } else {
      turn.user.notDelivered(child);
    }
  }

  private static void unknown(Turn turn, ForkId child) {
    Owned owned = turn.owners.get(child.ref());
    boolean known = owned != null && owned.forks().contains(child);
    if (known || turn.children.contains(child)) {
      turn.request(new Message.Withdraw(child));
    }
  }
}
