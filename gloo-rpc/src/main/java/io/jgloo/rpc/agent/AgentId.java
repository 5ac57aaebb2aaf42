package io.jgloo.rpc.agent;

/**
 * Identifies one life of an agent: its rank in the group, and the incarnation of that rank.
 *
 * @param rank 0 to size - 1
 * @param incarnation positive and unique within the group; a process started later at the same rank
 *     has a larger one
 */
public record AgentId(int rank, long incarnation) {

  /**
   * @throws IllegalArgumentException if rank is negative or incarnation not positive
   */
  public AgentId {
    if (rank < 0) {
      throw new IllegalArgumentException("rank must not be negative, but is " + rank);
    }
    if (incarnation < 1) {
      throw new IllegalArgumentException("incarnation must be positive, but is " + incarnation);
    }
  }

  @Override
  public String toString() {
    return rank + "#" + incarnation;
  }
}
