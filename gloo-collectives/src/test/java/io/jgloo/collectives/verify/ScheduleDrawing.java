package io.jgloo.collectives.verify;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Draws what all ranks of a small group do, round by round, as text.
 *
 * <p>The vector's parts are {@code a}, {@code b}, {@code c} and so on, as the messages cut it.
 * {@code b>3} sends part b to rank 3, {@code b<1} receives it from rank 1, {@code +b<1} receives it
 * and reduces it in. In an alltoall, where every rank has a vector of its own, {@code b3} is rank
 * 3's part b. A message without bytes has no letter.
 */
public final class ScheduleDrawing {
  private static final String GAP = "   ";

  private final Network network;
  private final Contents contents;
  private final boolean ofMany;
  private final List<Long> cuts;

  private ScheduleDrawing(Network network) {
    this.network = network;
    this.contents = Contents.of(network);
    Collective what = network.schedule(0).shape().collective();
    this.ofMany = what == Collective.ALLTOALL || what == Collective.ALLTOALLV;
    TreeSet<Long> found = new TreeSet<>(List.of(0L));
    for (int operation = 0; operation < network.operations(); operation++) {
      for (Contents.Piece piece : contents.of(operation)) {
        found.add(piece.start());
        found.add(piece.end());
      }
    }
    this.cuts = new ArrayList<>(found);
  }

  /**
   * The picture of an algorithm for a shape: a header, then one line for each round, in which a
   * rank sends to one peer, at most {@code messages} messages, and receives from one.
   */
  public static String draw(Algorithm algorithm, Shape shape, int messages) {
    List<Schedule> schedules = new ArrayList<>(shape.size());
    for (int rank = 0; rank < shape.size(); rank++) {
      schedules.add(algorithm.schedule(shape, rank));
    }
    return new ScheduleDrawing(new Network(schedules)).draw(messages);
  }

  private String draw(int messages) {
    Rounds rounds = Rounds.of(network, messages);
    String[][] cells = new String[rounds.count() + 1][network.size() + 1];
    for (int round = 0; round <= rounds.count(); round++) {
      Arrays.fill(cells[round], "");
      cells[round][0] = round == 0 ? "" : "round " + round;
    }
    for (int rank = 0; rank < network.size(); rank++) {
      cells[0][rank + 1] = "rank " + rank;
    }
    for (int operation = 0; operation < network.operations(); operation++) {
      int rank = network.rankOf(operation);
      if (network.partner(operation) >= 0) {
        String[] row = cells[rounds.round(operation)];
        row[rank + 1] += (row[rank + 1].isEmpty() ? "" : " ") + message(operation);
      }
    }
    return lines(cells);
  }

  private String message(int operation) {
    Schedule schedule = network.schedule(network.rankOf(operation));
    int op = operation - network.base(schedule.rank());
    boolean sends = schedule.kind(op) == Schedule.Kind.SEND;
    String parts = parts(sends ? operation : network.partner(operation));
    String direction = sends ? ">" : "<";
    return (isReduced(schedule, op) ? "+" : "") + parts + direction + schedule.peer(op);
  }

  /** The letters of what a send sends. */
  private String parts(int send) {
    StringBuilder letters = new StringBuilder();
    for (Contents.Piece piece : contents.of(send)) {
      for (int part = 0; part + 1 < cuts.size(); part++) {
        if (cuts.get(part) >= piece.start() && cuts.get(part) < piece.end()) {
          letters.append((char) ('a' + part)).append(ofMany ? piece.rank() : "");
        }
      }
    }
    return letters.toString();
  }

  /** Whether what an operation receives is reduced, at once or by one that waits for it. */
  private static boolean isReduced(Schedule schedule, int op) {
    boolean reduced = schedule.kind(op) == Schedule.Kind.RECV_REDUCE;
    for (int i = 0; i < schedule.successors(op) && schedule.kind(op).isReceive(); i++) {
      reduced |= schedule.kind(schedule.successor(op, i)) == Schedule.Kind.REDUCE;
    }
    return reduced;
  }

  private static String lines(String[][] cells) {
    StringBuilder text = new StringBuilder();
    for (String[] row : cells) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.length; column++) {
        int at = column;
        int width = Arrays.stream(cells).mapToInt(other -> other[at].length()).max().orElse(0);
        line.append(column == 0 ? "" : GAP);
        line.append(row[column]).append(" ".repeat(width - row[column].length()));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
