package io.jgloo.ps.node;

import java.util.Locale;
import java.util.Objects;

/**
 * Identifies a node by role and rank.
 *
 * @param rank 0 to the number of nodes of the role - 1
 */
public record NodeId(Role role, int rank) {

  /** The scheduler, whose number is 1. */
  public static final NodeId SCHEDULER = new NodeId(Role.SCHEDULER, 0);

  private static final int FIRST = 8;

  /**
   * @throws IllegalArgumentException if rank is negative, or not 0 for the scheduler
   */
  public NodeId {
    Objects.requireNonNull(role, "role");
    if (rank < 0 || (role == Role.SCHEDULER && rank > 0)) {
      throw new IllegalArgumentException("rank of a " + name(role) + " cannot be " + rank);
    }
  }

  /** The server of a rank, whose number is 2 rank + 8. */
  public static NodeId server(int rank) {
    return new NodeId(Role.SERVER, rank);
  }

  /** The worker of a rank, whose number is 2 rank + 9. */
  public static NodeId worker(int rank) {
    return new NodeId(Role.WORKER, rank);
  }

  /**
   * The node of a number.
   *
   * @throws IllegalArgumentException if no node has it: those of groups are 1 to 7
   */
  public static NodeId of(int number) {
    if (number == 1) {
      return SCHEDULER;
    }
    if (number < FIRST) {
      throw new IllegalArgumentException("number of a node must be 1 or at least 8, is " + number);
    }
    int rank = (number - FIRST) / 2;
    return number % 2 == 0 ? server(rank) : worker(rank);
  }

  /** Its number: 1, 2 rank + 8 or 2 rank + 9. */
  public int number() {
    return switch (role) {
      case SCHEDULER -> 1;
      case SERVER -> 2 * rank + FIRST;
      case WORKER -> 2 * rank + FIRST + 1;
    };
  }

  private static String name(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return role == Role.SCHEDULER ? "scheduler" : name(role) + " " + rank;
  }
}
