package io.jgloo.collectives;

/** What a group computes together; how it is computed is an {@link Algorithm}. */
public enum Collective {
  /** Every rank ends with the element-wise reduction of all ranks' vectors. */
  ALLREDUCE("allreduce", false),
  /** Every rank ends with the root's vector. */
  BROADCAST("broadcast", true),
  /** No rank leaves before all have entered; no data moves. */
  BARRIER("barrier", false);

  private final String label;
  private final boolean rooted;

  Collective(String label, boolean rooted) {
    this.label = label;
    this.rooted = rooted;
  }

  /** The name users type and messages print, for example {@code allreduce}. */
  public String label() {
    return label;
  }

  /** Whether one rank, the root, plays a part of its own. */
  public boolean rooted() {
    return rooted;
  }
}
