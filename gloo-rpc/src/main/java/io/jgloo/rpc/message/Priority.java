package io.jgloo.rpc.message;

/**
 * Which messages to a peer go first when several wait. Messages of one priority keep their order;
 * payloads larger than a frame go in parts, between which other messages go.
 */
public enum Priority {
  HIGH(0),
  NORMAL(1),
  LOW(2);

  /** Number of priorities. */
  static final int COUNT = 3;

  private final int level;

  Priority(int level) {
    this.level = level;
  }

  /** Its number in messages: 0 goes first. */
  int level() {
    return level;
  }

  /** The priority of a number below {@link #COUNT}. */
  static Priority of(int level) {
    return level == 0 ? HIGH : level == 1 ? NORMAL : LOW;
  }
}
