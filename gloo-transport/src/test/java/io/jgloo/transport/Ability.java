package io.jgloo.transport;

/** What the SPI promises between JGloo ranks and a foreign wire has no words for. */
public enum Ability {
  /** Receives hold messages against more than their length. */
  FINGERPRINTS("no header of this wire has room for a fingerprint"),

  /** Peers are told who gave up, and why. */
  NOTICES("on this wire a rank that gives up closes its connections, and cannot say why"),

  /** Peers tell a rank that has left from one that was lost. */
  GOODBYES("on this wire a rank that leaves closes its connections, as one that is lost"),

  /** A send may complete before its receive is posted. */
  UNASKED("on this wire a payload goes only when a receive has asked for it"),

  /** Connecting tells ranks and groups apart. */
  IDENTITY("on this wire nobody says who he is when he connects");

  private final String without;

  Ability(String without) {
    this.without = without;
  }

  /** Why it is missing, where it is. */
  public String without() {
    return without;
  }
}
