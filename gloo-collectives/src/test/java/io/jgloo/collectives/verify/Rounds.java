package io.jgloo.collectives.verify;

import io.jgloo.collectives.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts all ranks' operations into rounds, as if all ranks moved in step: what pictures show, and
 * what the number of steps of an algorithm means.
 *
 * <p>In a round a rank sends to one peer and receives from one, in program order. Local operations
 * take no time: theirs is the round of the last message they wait for.
 */
final class Rounds {
  private static final int NONE = -1;

  private final Network network;
  private final int limit;
  private final int[] waiting;
  private final boolean[] turn;
  private final int[] round;
  private int current;

  private Rounds(Network network, int limit) {
    this.network = network;
    this.limit = limit;
    this.waiting = new int[network.operations()];
    this.turn = new boolean[network.operations()];
    this.round = new int[network.operations()];
    Arrays.fill(round, NONE);
    for (int operation = 0; operation < round.length; operation++) {
      waiting[operation] = schedule(operation).indegree(op(operation));
      turn[operation] = !schedule(operation).issueWaits(op(operation));
    }
  }

  /**
   * The rounds of a network, with at most {@code limit} messages from one rank to another in each;
   * throws if some operation never gets to run.
   */
  static Rounds of(Network network, int limit) {
    Rounds rounds = new Rounds(network, limit);
    for (int operation = 0; operation < rounds.round.length; operation++) {
      rounds.runIfLocal(operation);
    }
    List<Integer> sent = rounds.send();
    while (!sent.isEmpty()) {
      rounds.current++;
      for (int send : sent) {
        rounds.complete(send);
        rounds.complete(network.partner(send));
      }
      sent = rounds.send();
    }
    for (int operation = 0; operation < rounds.round.length; operation++) {
      if (rounds.round[operation] == NONE) {
        throw network.fault(operation, "never runs");
      }
    }
    return rounds;
  }

  /** Number of rounds. */
  int count() {
    return current;
  }

  /** The round, from 1, in which an operation runs; 0 for one that waits for no message. */
  int round(int operation) {
    return round[operation];
  }

  /** Chooses the messages of the next round; returns their sends. */
  private List<Integer> send() {
    int[] to = new int[network.size()];
    int[] from = new int[network.size()];
    Arrays.fill(to, NONE);
    Arrays.fill(from, NONE);
    int[] messages = new int[network.size()];
    List<Integer> sent = new ArrayList<>();
    for (int operation = 0; operation < round.length; operation++) {
      int rank = network.rankOf(operation);
      int peer = schedule(operation).peer(op(operation));
      if (isReadySend(operation)
          && (to[rank] == NONE || to[rank] == peer)
          && (from[peer] == NONE || from[peer] == rank)
          && messages[rank] < limit) {
        messages[rank]++;
        to[rank] = peer;
        from[peer] = rank;
        turn[operation] = false;
        int next = schedule(operation).issueNext(op(operation));
        if (next != NONE) {
          turn[network.base(rank) + next] = true;
        }
        sent.add(operation);
      }
    }
    return sent;
  }

  private boolean isReadySend(int operation) {
    return turn[operation]
        && schedule(operation).kind(op(operation)) == Schedule.Kind.SEND
        && waiting[operation] == 0
        && waiting[network.partner(operation)] == 0;
  }

  private void complete(int operation) {
    round[operation] = current;
    Schedule schedule = schedule(operation);
    for (int i = 0; i < schedule.successors(op(operation)); i++) {
      int later = network.base(schedule.rank()) + schedule.successor(op(operation), i);
      waiting[later]--;
      runIfLocal(later);
    }
  }

  private void runIfLocal(int operation) {
    boolean local = !schedule(operation).kind(op(operation)).isMessage();
    if (local && waiting[operation] == 0 && round[operation] == NONE) {
      complete(operation);
    }
  }

  private Schedule schedule(int operation) {
    return network.schedule(network.rankOf(operation));
  }

  private int op(int operation) {
    return operation - network.base(network.rankOf(operation));
  }
}
