package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * The tables of one agent. Immutable.
 *
 * @param self the agent
 * @param owners the references whose values this agent holds
 * @param users the forks that this agent holds
 * @param children forks that this agent made from one of its own and that their holders have not
 *     accepted: child to parent
 * @param arrivals calls and results that wait for their references
 * @param outbox requests without an answer
 * @param finished numbers of the forks that this agent has deleted as their owner, or refused as
 *     their holder: what is in it never comes back, however late a copy of an old message is
 * @param incarnations for each rank the newest incarnation seen; older ones change nothing
 */
public record RRefState(
    AgentId self,
    PersistentMap<RRefId, Owned> owners,
    PersistentMap<ForkId, User> users,
    PersistentMap<ForkId, ForkId> children,
    PersistentMap<Object, Arrival> arrivals,
    PersistentMap<Message.Key, Message.Request> outbox,
    PersistentMap<Path, NumberSet> finished,
    PersistentMap<Integer, Long> incarnations) {

  /** From the maker of a fork to its holder, for one owner: each path counts its forks. */
  public record Path(AgentId owner, AgentId creator, AgentId holder) {

    /** Returns the path of the fork. */
    public static Path of(ForkId fork) {
      return new Path(fork.owner(), fork.creator(), fork.holder());
    }
  }

  /** Returns the tables of an agent that has seen nothing. */
  public static RRefState of(AgentId self) {
    return new RRefState(
        self,
        PersistentMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty());
  }

  /** Whether no reference is left, here or on its way. */
  public boolean isQuiet() {
    return owners.isEmpty()
        && users.isEmpty()
        && children.isEmpty()
        && arrivals.isEmpty()
        && outbox.isEmpty();
  }
}
