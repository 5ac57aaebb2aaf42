package io.jgloo.rpc.agent;

/**
 * The priority of a message among those that wait for one peer; the ordinal is the number in
 * messages. Messages of one priority keep their order; payloads larger than a frame go in parts,
 * between which other messages go.
 */
public enum Priority {
  HIGH,
  NORMAL,
  LOW
}
