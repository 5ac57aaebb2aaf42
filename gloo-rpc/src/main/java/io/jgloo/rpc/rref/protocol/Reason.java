package io.jgloo.rpc.rref.protocol;

/** The reason that a reference cannot be used. */
public enum Reason {
  /** The call that should have made the value was lost, or its creator was. */
  CREATION_FAILED,
  /** The owner has deleted this fork already. */
  DELETED,
  /** The owner was lost, or has fenced this agent. */
  OWNER_LOST,
  /** The handle was closed. */
  CLOSED
}
