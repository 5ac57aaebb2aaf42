package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/**
 * Names one fork of a remote reference: the share of one holder, made by one creator.
 *
 * <p>An agent accepts a message about a fork only from its holder, or from its creator where the
 * protocol says so. An agent can thus forge no fork of another holder.
 *
 * @param ref the reference
 * @param creator the agent that made the fork: the parent in the fork tree
 * @param holder the agent that the fork was made for
 * @param number not negative; counts the forks of this creator for this holder with values at this
 *     owner, without gaps, so that the numbers of deleted forks merge into few ranges
 */
public record ForkId(RRefId ref, AgentId creator, AgentId holder, long number) {

  /** Returns the agent that holds the value. */
  public AgentId owner() {
    return ref.owner();
  }

  /** Whether this is the fork that came into being with the reference. */
  public boolean isRoot() {
    return number == ref.number() && creator.equals(ref.creator()) && holder.equals(creator);
  }

  /** Without the incarnations: they rarely differ, and each table asks often. */
  @Override
  public int hashCode() {
    return (((int) number * 31 + creator.rank()) * 31 + holder.rank()) * 31 + ref.hashCode();
  }

  @Override
  public String toString() {
    return ref + " fork " + creator + ">" + holder + "/" + number;
  }
}
