package io.jgloo.transport;

/** Features of the SPI that Gloo's wires do not have. */
public enum Ability {
  /** Receives hold messages against more than their length. */
  FINGERPRINTS("no header of this wire has room for a fingerprint"),

  /** An abort is reported to the peers with its origin and cause. */
  NOTICES("on this wire a rank that fails closes its connections without a cause"),

  /** A peer that has left is distinguished from one that was lost. */
  GOODBYES("on this wire a rank that leaves closes its connections, as one that is lost"),

  /** A send may complete before its receive is posted. */
  UNASKED("on this wire a payload is sent only when a receive has given a credit"),

  /** Connections name their rank and group. */
  IDENTITY("on this wire a connection does not name its rank");

  private final String without;

  Ability(String without) {
    this.without = without;
  }

  /** Why it is missing, where it is. */
  public String without() {
    return without;
  }
}
