package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/** An action of an agent after an event. */
public sealed interface Effect {

  /** Send the message. A request is to be repeated until it has left {@link RRefTables#outbox}. */
  record Send(AgentId to, Message message) implements Effect {}

  /** All references of the call or result are confirmed: run or deliver it. */
  record Run(Object key) implements Effect {}

  /** A reference of the call or result cannot be used; all of them are closed. */
  record Refuse(Object key, Reason reason) implements Effect {}

  /** The fetch has ended. */
  record Deliver(ForkId fork, long ticket, Outcome outcome) implements Effect {}

  /** The owner knows the fork. */
  record Confirmed(ForkId fork) implements Effect {}

  /** The fork cannot be used any more. */
  record Failed(ForkId fork, Reason reason) implements Effect {}

  /** The reference cannot be put into a message. */
  record Denied(ForkId child, Reason reason) implements Effect {}

  /** The last fork and the last handle are gone: the value is no longer held. */
  record Dropped(RRefId ref, Outcome outcome) implements Effect {}

  /** A value came when nothing refers to its reference any more. */
  record Discarded(Outcome outcome) implements Effect {}

  /** A message broke a rule and changed nothing. */
  record Rejected(AgentId from, Object message, String why) implements Effect {}
}
