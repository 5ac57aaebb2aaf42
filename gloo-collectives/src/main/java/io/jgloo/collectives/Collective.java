package io.jgloo.collectives;

/**
 * A computation of all ranks of a group; an {@link Algorithm} is one way to do it.
 *
 * <p>The names that end in {@code V} are those before them with blocks of different lengths. What a
 * rank's memory holds before and after is described by {@link Shape}.
 */
public enum Collective {
  /** Every rank ends with the element-wise reduction of all ranks' vectors. */
  ALLREDUCE("allreduce", Role.ALL, Work.REDUCES),
  /** Every rank ends with the root's vector. */
  BROADCAST("broadcast", Role.FROM_ROOT, Work.MOVES),
  /** No rank leaves before all have entered; no data moves. */
  BARRIER("barrier", Role.ALL, Work.MOVES),
  /** Every rank ends with all ranks' blocks, in the order of ranks. */
  ALLGATHER("allgather", Role.ALL, Work.MOVES),
  /** An allgather of blocks whose lengths differ. */
  ALLGATHERV("allgatherv", Role.ALL, Work.MOVES),
  /** Every rank sends a block of its own to every rank. */
  ALLTOALL("alltoall", Role.ALL, Work.MOVES),
  /** An alltoall of blocks whose lengths differ and are known to their two ranks only. */
  ALLTOALLV("alltoallv", Role.ALL, Work.MOVES),
  /** The root ends with all ranks' blocks, in the order of ranks. */
  GATHER("gather", Role.TO_ROOT, Work.MOVES),
  /** A gather of blocks whose lengths differ. */
  GATHERV("gatherv", Role.TO_ROOT, Work.MOVES),
  /** The root ends with the element-wise reduction of all ranks' vectors. */
  REDUCE("reduce", Role.TO_ROOT, Work.REDUCES),
  /** Rank r ends with block r of the element-wise reduction of all ranks' vectors. */
  REDUCE_SCATTER("reduceScatter", Role.ALL, Work.REDUCES),
  /** A reduce-scatter into blocks whose lengths differ. */
  REDUCE_SCATTERV("reduceScatterv", Role.ALL, Work.REDUCES),
  /** Rank r ends with block r of the root's vector. */
  SCATTER("scatter", Role.FROM_ROOT, Work.MOVES),
  /** A scatter of blocks whose lengths differ. */
  SCATTERV("scatterv", Role.FROM_ROOT, Work.MOVES),
  /** Rank r ends with the reduction of the vectors of ranks 0 to r. */
  SCAN("scan", Role.ALL, Work.REDUCES),
  /** Rank r ends with the reduction of the vectors of ranks 0 to r-1; rank 0 with nothing. */
  EXSCAN("exscan", Role.ALL, Work.REDUCES);

  private final String label;
  private final Role role;
  private final Work work;

  Collective(String label, Role role, Work work) {
    this.label = label;
    this.role = role;
    this.work = work;
  }

  /** The name users type and messages print, for example {@code allreduce}. */
  public String label() {
    return label;
  }

  /** Whether one rank, the root, plays a part of its own. */
  public boolean rooted() {
    return role != Role.ALL;
  }

  /** Whether only the root has something to give. */
  public boolean fromRoot() {
    return role == Role.FROM_ROOT;
  }

  /** Whether only the root ends with something. */
  public boolean toRoot() {
    return role == Role.TO_ROOT;
  }

  /** Whether a reduce op takes part. */
  public boolean reduces() {
    return work == Work.REDUCES;
  }

  /** Whether each rank's block has a length of its own. */
  public boolean uneven() {
    return label.endsWith("v");
  }

  private enum Role {
    ALL,
    FROM_ROOT,
    TO_ROOT
  }

  private enum Work {
    MOVES,
    REDUCES
  }
}
