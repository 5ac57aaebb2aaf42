package io.jgloo.bench.soak;

import java.util.Locale;

/** What is done to a group while it works. */
enum Fault {
  /** SIGKILL of one process, which is started anew. */
  KILL(4),
  /** One process is stopped for longer than the timeout of the calls. */
  STOP(1),
  /** One process is stopped for less than a second, which must not be noticed. */
  PAUSE(2),
  /** The connections between two processes are ended by the kernel. */
  CUT(2);

  private final int weight;

  Fault(int weight) {
    this.weight = weight;
  }

  /** How often it is made, in proportion to the others. */
  int weight() {
    return weight;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
