package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.List;

/** An event at one agent. */
public sealed interface Event {

  /** Changes the tables, and adds effects to them. */
  void applyTo(RRefTables tables);

  /** A control message has arrived. */
  record Received(AgentId from, Message message) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.receive(from, message);
    }
  }

  /** The agent that the request went to has received it. */
  record Acknowledged(Message.Key request) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.acknowledged(request);
    }
  }

  /** The call that should make the value was refused, or its outcome is unknown. */
  record CreationFailed(ForkId root) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.creationFailed(root);
    }
  }

  /** This incarnation of an agent has joined; the earlier ones of its rank are lost. */
  record PeerSeen(AgentId peer) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.seen(peer);
    }
  }

  /** This incarnation of an agent is gone or its lease has ended. */
  record PeerLost(AgentId peer) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.lost(peer);
    }
  }

  /**
   * The application makes a reference to a value of its own agent, with one open handle.
   *
   * @param outcome the value, or null if a function that runs will set it
   */
  record OwnerCreated(RRefId ref, Outcome outcome) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.owner.created(this);
    }
  }

  /** The function of a reference has ended. */
  record ValueSet(RRefId ref, Outcome outcome) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.owner.valueSet(this);
    }
  }

  /** A handle at the owner was closed or collected. */
  record OwnerClosed(RRefId ref) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.owner.handles(ref, -1);
    }
  }

  /**
   * The application asks another agent to make a value.
   *
   * @param root the root fork, made by this agent for itself
   * @param arguments forks that the call carries, each made before
   */
  record UserCreated(ForkId root, List<ForkId> arguments) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.user.created(this);
    }
  }

  /** The handle of a fork was closed or collected. */
  record UserClosed(ForkId fork) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.user.closed(fork);
    }
  }

  /** The owner puts a reference into a message; answers {@link Effect.Denied} or nothing. */
  record OwnerForked(ForkId child) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.owner.forked(this);
    }
  }

  /** A user puts a reference into a message; answers {@link Effect.Denied} or nothing. */
  record UserForked(ForkId parent, ForkId child) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.user.forked(this);
    }
  }

  /** The message with the fork was certainly not delivered and will not be. */
  record ForkNotDelivered(ForkId child) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.notDelivered(child);
    }
  }

  /** It is unknown whether the message with the fork was or will be delivered. */
  record ForkUnknown(ForkId child) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.unknown(child);
    }
  }

  /**
   * A call or a result with references has arrived.
   *
   * @param key identifies it at this agent
   * @param forks all made by the sender for this agent
   */
  record Arrived(AgentId from, Object key, List<ForkId> forks) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.arrival.arrived(this);
    }
  }

  /** A user wants the value. */
  record FetchAsked(ForkId fork, long ticket) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.user.fetchAsked(this);
    }
  }

  /** A user no longer wants the value. */
  record FetchAbandoned(ForkId fork, long ticket) implements Event {
    @Override
    public void applyTo(RRefTables tables) {
      tables.user.fetchEnded(fork, ticket, null);
    }
  }
}
