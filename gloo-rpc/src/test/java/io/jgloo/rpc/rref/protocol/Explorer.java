package io.jgloo.rpc.rref.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Visits each state that a scenario can reach, once, in every order of deliveries and actions.
 *
 * <p>The states without a successor are where everything that can happen has happened: there the
 * tables must be empty. There must be no cycle either, so every run reaches such a state.
 */
final class Explorer {

  /** How much was visited. */
  record Result(int states, long deliveries, int ends) {}

  private record Frame(World world, String label, Deque<Frame> next) {}

  private final List<Scenario.Action> actions;
  private final int limit;

  /** Value: whether the state is on the path to the present one. */
  private final Map<World, Boolean> seen = new HashMap<>();

  private final Deque<Frame> path = new ArrayDeque<>();
  private long deliveries;
  private int ends;

  private Explorer(List<Scenario.Action> actions, int limit) {
    this.actions = actions;
    this.limit = limit;
  }

  /**
   * Explores a scenario.
   *
   * @param limit largest number of states; more fail
   */
  static Result explore(Scenario scenario, Protocol protocol, int limit) {
    Explorer explorer = new Explorer(scenario.actions(), limit);
    try {
      explorer.run(scenario.start().apply(protocol));
    } catch (InvariantBrokenError e) {
      InvariantBrokenError traced =
          new InvariantBrokenError(e.invariant(), e.getMessage() + explorer.trace());
      traced.initCause(e);
      throw traced;
    }
    return new Result(explorer.seen.size(), explorer.deliveries, explorer.ends);
  }

  private void run(World start) {
    seen.put(start, true);
    path.push(new Frame(start, "start", new ArrayDeque<>()));
    expand(path.peek());
    while (!path.isEmpty()) {
      Frame frame = path.peek();
      Frame next = frame.next().poll();
      if (next == null) {
        seen.put(frame.world(), false);
        path.pop();
        continue;
      }
      Boolean onPath = seen.get(next.world());
      if (onPath == null) {
        if (seen.size() == limit) {
          throw new AssertionError("more than " + limit + " states");
        }
        seen.put(next.world(), true);
        path.push(next);
        expand(next);
      } else if (onPath) {
        throw new AssertionError("cycle" + trace() + "\n  " + next.label());
      }
    }
  }

  private void expand(Frame frame) {
    World world = frame.world();
    for (Packet packet : world.packets()) {
      deliveries++;
      add(frame, packet.toString(), world.deliver(packet));
    }
    for (int bit = 0; bit < actions.size(); bit++) {
      Scenario.Action action = actions.get(bit);
      if (!world.isDone(bit) && action.when().test(world)) {
        add(frame, action.name(), action.then().apply(world.withDone(bit)));
      }
    }
    if (frame.next().isEmpty()) {
      ends++;
      Invariants.checkRest(world, world.facts());
    }
  }

  private static void add(Frame frame, String label, World next) {
    if (!next.equals(frame.world())) {
      frame.next().add(new Frame(next, label, new ArrayDeque<>()));
    }
  }

  private String trace() {
    List<String> lines = new ArrayList<>();
    path.descendingIterator().forEachRemaining(frame -> lines.add("\n  " + frame.label()));
    return String.join("", lines);
  }
}
