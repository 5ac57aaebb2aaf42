package io.jgloo.rpc.rref.protocol;

import static io.jgloo.rpc.rref.protocol.World.agent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A group whose messages arrive in the order in which they were sent, drawn as a diagram. */
final class Trace {

  private final RRefTables[] agents;
  private final Deque<Packet> queue = new ArrayDeque<>();
  private final List<Effect> effects = new ArrayList<>();
  private final Diagram diagram;
  private final List<String> messages = new ArrayList<>();

  /** Forks by the order in which they appear, from 1. */
  private final Map<ForkId, Integer> numbers = new HashMap<>();

  private final int losses;
  private final Map<Packet, Integer> attempts = new HashMap<>();

  Trace(int size) {
    this(size, 0);
  }

  /**
   * @param losses how often each message, reply and acknowledgement is lost before it arrives
   */
  Trace(int size, int losses) {
    this.losses = losses;
    agents = new RRefTables[size];
    for (int rank = 0; rank < size; rank++) {
      agents[rank] = new RRefTables(agent(rank));
    }
    diagram = new Diagram(size);
  }

  /** Applies an event; messages wait in the queue. */
  Trace apply(int rank, Event event) {
    List<Effect> done = agents[rank].apply(event);
    effects.addAll(done);
    for (Effect effect : done) {
      if (effect instanceof Effect.Send send) {
        queue.add(new Packet(agent(rank), send.to(), send.message()));
      } else if (effect instanceof Effect.Run run) {
        note(rank, run.key() instanceof RRefId ? "runs f" : "runs g");
      } else if (effect instanceof Effect.Deliver) {
        note(rank, "has the value");
      } else if (effect instanceof Effect.Dropped) {
        note(rank, "drops the value");
      }
    }
    return this;
  }

  /** Applies an event of the application and draws it. */
  Trace apply(int rank, String what, Event event) {
    note(rank, what);
    return apply(rank, event);
  }

  Trace call(int from, int to, Object key, ForkId... forks) {
    queue.add(new Packet(agent(from), agent(to), new Call(key, List.of(forks))));
    return this;
  }

  /** Delivers until nothing is on its way. */
  Trace deliver() {
    do {
      while (!queue.isEmpty()) {
        Packet packet = queue.poll();
        boolean lost = attempts.merge(packet, 1, Integer::sum) <= losses;
        if (packet.content() instanceof Call || !lost) {
          deliver(packet);
        }
      }
      repeat();
    } while (!queue.isEmpty());
    return this;
  }

  /** Sends what has no answer again, but a fetch whose value is not set. */
  private void repeat() {
    for (RRefTables agent : agents) {
      agent
          .outbox()
          .forEach(
              (key, request) -> {
                Packet packet = new Packet(agent.self(), request.to(), request);
                if (losses > 0 && attempts.get(packet) <= 10 * losses) {
                  queue.add(packet);
                }
              });
    }
  }

  private void deliver(Packet packet) {
    if (packet.content() instanceof Message.Key) {
      apply(packet.to().rank(), packet.event());
      return;
    }
    draw(packet);
    apply(packet.to().rank(), packet.event());
    if (packet.acknowledgement() != null) {
      queue.add(packet.acknowledgement());
    }
  }

  private void draw(Packet packet) {
    String label;
    if (packet.content() instanceof Call call) {
      label = "CALL(g, fork " + number(call.forks().get(0)) + ")";
    } else {
      label =
          ((Message) packet.content()).name() + " " + number(((Message) packet.content()).fork());
    }
    int from = packet.from().rank();
    int to = packet.to().rank();
    messages.add(Diagram.name(from) + " -> " + Diagram.name(to) + " " + label);
    diagram.message(from, to, label, packet.content() instanceof Call);
  }

  private int number(ForkId fork) {
    return numbers.computeIfAbsent(fork, absent -> numbers.size() + 1);
  }

  private void note(int rank, String what) {
    diagram.note(rank, what);
  }

  /** The control messages and calls in their order. */
  List<String> messages() {
    return messages;
  }

  /** The diagram, one line for each message and each event of an application. */
  List<String> lines() {
    return diagram.lines();
  }

  RRefTables state(int rank) {
    return agents[rank];
  }

  /** All effects so far. */
  List<Effect> effects() {
    return effects;
  }
}
