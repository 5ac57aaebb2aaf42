package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.List;
import java.util.Locale;

/** The control messages of the protocol. Each has the same effect however often it arrives. */
public sealed interface Message {

  /** Its name in documents and traces, such as {@code USER_DELETE}. */
  default String name() {
    return getClass().getSimpleName().replaceAll("(?<!^)([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  /** The fork that the message is about; null if it is about an agent. */
  ForkId fork();

  /** Changes the tables of the receiver. */
  void receivedBy(RRefTables tables, AgentId from);

  /** A message that its sender repeats until it is answered or acknowledged. */
  sealed interface Request extends Message {

    /** The agent that the message goes to: the owner, unless a request says otherwise. */
    default AgentId to() {
      return fork().owner();
    }

    /** What an answer to this message names. */
    default Key key() {
      return new Key(getClass(), fork(), 0);
    }
  }

  /**
   * Identifies a request among those that wait for an answer.
   *
   * @param kind class of the request
   * @param fork the fork that the request is about
   * @param ticket the fetch, 0 for other requests
   */
  record Key(Class<? extends Request> kind, ForkId fork, long ticket) {

    /** By the name of the kind, because the hash of a class differs from process to process. */
    @Override
    public int hashCode() {
      return (kind.getName().hashCode() * 31 + fork.hashCode()) * 31 + Long.hashCode(ticket);
    }

    @Override
    public String toString() {
      return kind.getSimpleName() + " " + fork + (ticket == 0 ? "" : " ticket " + ticket);
    }
  }

  /** User to owner: run a function, its result is the value. Answered by {@link UserAccept}. */
  record RemoteCall(ForkId fork, List<ForkId> arguments) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.owner.remoteCall(from, this);
    }
  }

  /** Owner to user: the reference exists and the root fork is registered. */
  record UserAccept(ForkId fork) implements Message {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.user.userAccept(from, this);
    }
  }

  /** User to owner: send the value as soon as it is set. Answered by {@link FetchReply}. */
  record Fetch(ForkId fork, long ticket) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.owner.fetch(from, this);
    }

    @Override
    public Key key() {
      return new Key(Fetch.class, fork, ticket);
    }
  }

  /** Owner to user: the value. */
  record FetchReply(ForkId fork, long ticket, Outcome outcome) implements Message {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.user.fetchReply(from, this);
    }
  }

  /** New user to owner: register this fork. Answered by {@link ForkReply}. */
  record ForkRequest(ForkId fork) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.owner.forkRequest(from, this);
    }
  }

  /**
   * Owner to user: the fork is registered.
   *
   * @param refused why it is not, or null
   */
  record ForkReply(ForkId fork, Reason refused) implements Message {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.user.forkReply(from, this);
    }
  }

  /** Child to parent: the owner knows the fork, or the fork will never be used. */
  record ChildAccept(ForkId fork) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.user.childAccept(from, this);
    }

    @Override
    public AgentId to() {
      return fork.creator();
    }
  }

  /** User to owner: the fork is no longer used. */
  record UserDelete(ForkId fork) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.owner.userDelete(from, this);
    }
  }

  /** Creator to owner: the fork was never delivered to its holder and will not be. */
  record Cancel(ForkId fork) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.owner.cancel(from, this);
    }
  }

  /** Creator to holder: the message with the fork may be lost; do not use the fork if it comes. */
  record Withdraw(ForkId fork) implements Request {
    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.arrival.withdraw(from, this);
    }

    @Override
    public AgentId to() {
      return fork.holder();
    }
  }

  /** To an incarnation that has been fenced: no message of it counts here any more. */
  record Fenced() implements Message {
    @Override
    public ForkId fork() {
      return null;
    }

    @Override
    public void receivedBy(RRefTables tables, AgentId from) {
      tables.lost(from);
    }
  }
}
