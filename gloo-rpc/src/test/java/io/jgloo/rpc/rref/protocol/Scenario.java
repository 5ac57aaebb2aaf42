package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What the applications of a group do.
 *
 * @param start the group before the first action
 * @param actions each is done at most once, at any time at which its condition is met
 */
record Scenario(String name, Function<Protocol, World> start, List<Action> actions) {

  record Action(String name, Predicate<World> when, UnaryOperator<World> then) {}

  Scenario plus(String what, Action... more) {
    List<Action> all = new ArrayList<>(actions);
    all.addAll(List.of(more));
    return new Scenario(name + ", " + what, start, List.copyOf(all));
  }

  @Override
  public String toString() {
    return name;
  }
}
