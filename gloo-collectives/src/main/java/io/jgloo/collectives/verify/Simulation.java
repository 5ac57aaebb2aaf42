package io.jgloo.collectives.verify;

import io.jgloo.collectives.Schedule;
import java.util.BitSet;

/**
 * Runs all ranks' schedules on symbolic memory in one interleaving of issues and completions.
 *
 * <p>A message's content is what the sender's range holds when the first of its two sides
 * completes, the latest moment at which a transport may still read it. Which operations can run
 * does not depend on the interleaving, only on the semantics (a program has no choices), so one run
 * under rendezvous semantics that ends proves that all do; the other interleavings are run to have
 * it from two sides.
 */
final class Simulation {
  private final Network network;
  private final Interleaving interleaving;
  private final Memory memory;
  private final Interleaving.Pool first;
  private final Interleaving.Pool last;
  private final int[] waiting;
  private final boolean[] issued;
  private final boolean[] completed;
  private final Runs[] content;
  private final Runs[] sent;
  private final InFlight[] inFlight;
  private final BitSet[] heard;
  private int done;

  private Simulation(Network network, Interleaving interleaving) {
    int operations = network.operations();
    this.network = network;
    this.interleaving = interleaving;
    this.memory = new Memory(network);
    this.first = interleaving.pool();
    this.last = interleaving.pool();
    this.waiting = new int[operations];
    this.issued = new boolean[operations];
    this.completed = new boolean[operations];
    this.content = new Runs[operations];
    this.sent = new Runs[operations];
    this.heard = new BitSet[operations];
    this.inFlight = new InFlight[network.size()];
    for (int rank = 0; rank < network.size(); rank++) {
      inFlight[rank] = new InFlight(network, rank);
    }
  }

  /** Runs to the end and checks the result; throws at the first fault. */
  public static void run(Network network, Interleaving interleaving, boolean ordered) {
    Simulation simulation = new Simulation(network, interleaving);
    simulation.toTheEnd();
    Outcome.check(network, simulation.memory, simulation.heard, ordered);
  }

  /** What each send of a network sends; nothing for other operations. */
  static Runs[] sent(Network network) {
    Simulation simulation = new Simulation(network, Interleaving.strictest());
    simulation.toTheEnd();
    return simulation.sent;
  }

  private void toTheEnd() {
    start();
    while (advance()) {
      // one issue or completion at a time
    }
    checkEnded();
  }

  private void start() {
    for (int operation = 0; operation < network.operations(); operation++) {
      Schedule schedule = network.schedule(network.rankOf(operation));
      int op = operation - network.base(schedule.rank());
      waiting[operation] = schedule.indegree(op) + (schedule.issueWaits(op) ? 1 : 0);
      if (schedule.isSignal(op)) {
        heard[operation] = new BitSet(network.size());
        heard[operation].set(schedule.rank());
      }
    }
    for (int operation = 0; operation < network.operations(); operation++) {
      if (waiting[operation] == 0) {
        offer(operation);
      }
    }
  }

  private boolean advance() {
    Interleaving.Pool pool = first.isEmpty() ? last : first;
    if (pool.isEmpty()) {
      return false;
    }
    int operation = pool.take();
    if (issued[operation]) {
      complete(operation);
    } else {
      issue(operation);
    }
    return true;
  }

  private void offer(int operation) {
    boolean starved = network.rankOf(operation) == interleaving.starved();
    (starved ? last : first).add(operation);
  }

  private void issue(int operation) {
    int rank = network.rankOf(operation);
    Schedule schedule = network.schedule(rank);
    int op = operation - network.base(rank);
    inFlight[rank].add(op);
    issued[operation] = true;
    if (schedule.issueNext(op) >= 0) {
      release(network.base(rank) + schedule.issueNext(op));
    }
    int partner = network.partner(operation);
    if (partner < 0) {
      offer(operation);
      return;
    }
    boolean early = schedule.kind(op) == Schedule.Kind.SEND && !interleaving.rendezvous();
    if (early || issued[partner]) {
      offer(operation);
    }
    if (issued[partner] && !early(partner)) {
      offer(partner);
    }
  }

  /** Whether the operation could complete as soon as it was issued. */
  private boolean early(int operation) {
    Schedule schedule = network.schedule(network.rankOf(operation));
    return !interleaving.rendezvous()
        && schedule.kind(operation - network.base(schedule.rank())) == Schedule.Kind.SEND;
  }

  private void complete(int operation) {
    int rank = network.rankOf(operation);
    Schedule schedule = network.schedule(rank);
    int op = operation - network.base(rank);
    perform(operation, schedule, op);
    inFlight[rank].remove(op);
    completed[operation] = true;
    done++;
    for (int i = 0; i < schedule.successors(op); i++) {
      int later = network.base(rank) + schedule.successor(op, i);
      if (heard[operation] != null && heard[later] != null) {
        heard[later].or(heard[operation]);
      }
      release(later);
    }
  }

  private void perform(int operation, Schedule schedule, int op) {
    int partner = network.partner(operation);
    if (partner < 0) {
      memory.local(operation);
    } else if (schedule.isSignal(op)) {
      if (schedule.kind(op).isReceive()) {
        heard[operation].or(heard[partner]);
      }
    } else if (schedule.kind(op).isReceive()) {
      sent[partner] = completed[partner] ? content[operation] : memory.sent(partner);
      memory.receive(operation, sent[partner]);
      content[operation] = null;
    } else if (!completed[partner]) {
      content[partner] = memory.sent(operation);
    }
  }

  private void release(int operation) {
    if (--waiting[operation] == 0) {
      offer(operation);
    }
  }

  private void checkEnded() {
    for (int operation = 0; done < network.operations(); operation++) {
      if (!completed[operation]) {
        throw network.fault(
            operation,
            "deadlock: "
                + (issued[operation]
                    ? "waits for " + network.describe(network.partner(operation))
                    : "is never issued")
                + "; "
                + (network.operations() - done)
                + " operations remain");
      }
    }
  }
}
