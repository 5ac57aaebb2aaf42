package io.jgloo.ps.node;

/** The role of a node. */
public enum Role {
  /** Assigns ranks and runs barriers; one for each system. */
  SCHEDULER,
  /** Holds the values of some of the keys. */
  SERVER,
  /** Pushes and pulls values. */
  WORKER
}
