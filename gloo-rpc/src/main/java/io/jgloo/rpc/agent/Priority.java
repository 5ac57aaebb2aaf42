package io.jgloo.rpc.agent;

/**
 * Which messages to a peer go first when several wait; the ordinal is the number in messages.
 * Messages of one priority keep their order; payloads larger than a frame go in parts, between
 * which other messages go.
 */
public enum Priority {
  HIGH,
  NORMAL,
  LOW
}
