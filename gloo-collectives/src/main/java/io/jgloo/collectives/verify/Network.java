package io.jgloo.collectives.verify;

import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.verify.Verifier.BrokenScheduleException;
import java.util.Arrays;
import java.util.List;

/**
 * All ranks' schedules side by side, each send matched with its receive.
 *
 * <p>Operations of all ranks are numbered through: rank by rank, in program order. Messages are
 * matched by the order of issue of each pair and direction; a message without a counterpart, or of
 * another length than it, is a fault.
 */
final class Network {
  private static final int NONE = -1;

  private final List<Schedule> schedules;
  private final int[] base;
  private final int[] rankOf;
  private final int[] partner;

  /** Matches the messages of the schedules of ranks 0, 1, 2 and so on. */
  public Network(List<Schedule> schedules) {
    this.schedules = List.copyOf(schedules);
    this.base = new int[schedules.size() + 1];
    for (int rank = 0; rank < schedules.size(); rank++) {
      Schedule schedule = schedules.get(rank);
      if (schedule.rank() != rank || schedule.shape().size() != schedules.size()) {
        throw new BrokenScheduleException(
            "schedule " + rank + " is that of rank " + schedule.rank() + ": " + schedule.shape());
      }
      base[rank + 1] = base[rank] + schedule.operations();
    }
    this.rankOf = new int[operations()];
    this.partner = new int[operations()];
    for (int rank = 0; rank < size(); rank++) {
      Arrays.fill(rankOf, base[rank], base[rank + 1], rank);
    }
    Arrays.fill(partner, NONE);
    match();
  }

  /** Number of ranks. */
  public int size() {
    return schedules.size();
  }

  /** Number of operations of all ranks. */
  public int operations() {
    return base[schedules.size()];
  }

  /** One rank's schedule. */
  public Schedule schedule(int rank) {
    return schedules.get(rank);
  }

  /** The number of a rank's first operation. */
  public int base(int rank) {
    return base[rank];
  }

  /** Whose operation it is. */
  public int rankOf(int operation) {
    return rankOf[operation];
  }

  /** The other side of a message; -1 for a local operation. */
  public int partner(int operation) {
    return partner[operation];
  }

  /** An operation in words. */
  public String describe(int operation) {
    int rank = rankOf[operation];
    int op = operation - base[rank];
    return "rank " + rank + ", operation " + op + " (" + schedules.get(rank).describe(op) + ")";
  }

  /** What to throw when an operation is at fault. */
  public BrokenScheduleException fault(int operation, String what) {
    return new BrokenScheduleException(
        schedules.get(0).shape() + ": " + describe(operation) + ": " + what);
  }

  /** What to throw when a rank is at fault, but no operation in particular. */
  public BrokenScheduleException faultOf(int rank, String what) {
    return new BrokenScheduleException(schedules.get(0).shape() + ": rank " + rank + ": " + what);
  }

  private void match() {
    int[][] sends = heads(Schedule.Kind.SEND);
    int[][] receives = heads(Schedule.Kind.RECV);
    for (int from = 0; from < size(); from++) {
      for (int to = 0; to < size(); to++) {
        match(from, sends[from][to], to, receives[to][from]);
      }
    }
    for (int operation = 0; operation < operations(); operation++) {
      int rank = rankOf[operation];
      boolean message = schedules.get(rank).kind(operation - base[rank]).isMessage();
      if (message == (partner[operation] == NONE)) {
        throw fault(operation, "is not in the order of issue of its peer and direction");
      }
    }
  }

  /** The first message of each rank to (or from) each peer. */
  private int[][] heads(Schedule.Kind direction) {
    int[][] heads = new int[size()][size()];
    for (int rank = 0; rank < size(); rank++) {
      Arrays.fill(heads[rank], NONE);
      Schedule schedule = schedules.get(rank);
      for (int op = 0; op < schedule.operations(); op++) {
        if (isOf(direction, schedule.kind(op)) && !schedule.issueWaits(op)) {
          if (heads[rank][schedule.peer(op)] != NONE) {
            throw fault(base[rank] + op, "is not ordered after an earlier message of its kind");
          }
          heads[rank][schedule.peer(op)] = op;
        }
      }
    }
    return heads;
  }

  private void match(int from, int firstSend, int to, int firstReceive) {
    int send = firstSend;
    int receive = firstReceive;
    while (send != NONE && receive != NONE) {
      pair(from, send, to, receive);
      send = next(from, send, to, Schedule.Kind.SEND);
      receive = next(to, receive, from, Schedule.Kind.RECV);
    }
    if (send != NONE) {
      throw fault(base[from] + send, "is received by no rank");
    }
    if (receive != NONE) {
      throw fault(base[to] + receive, "is sent by no rank");
    }
  }

  private void pair(int from, int send, int to, int receive) {
    Schedule sender = schedules.get(from);
    Schedule receiver = schedules.get(to);
    if (sender.length(send) != receiver.length(receive)) {
      throw fault(
          base[to] + receive, "differs in length from its message, " + describe(base[from] + send));
    }
    partner[base[from] + send] = base[to] + receive;
    partner[base[to] + receive] = base[from] + send;
  }

  private int next(int rank, int op, int peer, Schedule.Kind direction) {
    Schedule schedule = schedules.get(rank);
    int next = schedule.issueNext(op);
    if (next != NONE
        && (next <= op
            || !isOf(direction, schedule.kind(next))
            || schedule.peer(next) != peer
            || !schedule.issueWaits(next))) {
      throw fault(base[rank] + op, "is followed in issue by " + describe(base[rank] + next));
    }
    return next;
  }

  private static boolean isOf(Schedule.Kind direction, Schedule.Kind kind) {
    return direction == Schedule.Kind.SEND ? kind == Schedule.Kind.SEND : kind.isReceive();
  }
}
