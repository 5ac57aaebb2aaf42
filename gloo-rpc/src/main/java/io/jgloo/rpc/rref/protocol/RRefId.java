package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * Names one remote reference in the whole group.
 *
 * @param owner the agent that holds the value
 * @param creator the agent that asked for it; the owner itself for a value that it had already
 * @param number of the fork that the creator holds; see {@link ForkId#number}
 */
public record RRefId(AgentId owner, AgentId creator, long number) {

  /** Returns the fork that comes into being with the reference: the root of the fork tree. */
  public ForkId root() {
    return new ForkId(this, creator, creator, number);
  }

  /** Without the incarnations: they rarely differ, and each table asks often. */
  @Override
  public int hashCode() {
    return ((int) number * 31 + creator.rank()) * 31 + owner.rank();
  }

  @Override
  public String toString() {
    return creator + "/" + number + "@" + owner;
  }
}
