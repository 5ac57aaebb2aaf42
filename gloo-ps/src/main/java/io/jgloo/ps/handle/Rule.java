package io.jgloo.ps.handle;

/**
 * Changes a stored value by a pushed one, such as a step of an optimizer.
 *
 * <p>It must do the same with the same numbers: replicas apply it too. <i>Threads</i>: that of each
 * shard, at the same time; what it keeps is in the {@link State} only.
 */
@FunctionalInterface
public interface Rule {

  /** Numbers that a rule keeps for each value, first 0; they have the type of the values. */
  interface State {
    double get(int index);

    void set(int index, double number);
  }

  /**
   * @param value the stored value
   * @param pushed the pushed one, such as a gradient
   * @param state as many numbers as the rule was registered with
   * @return the new value
   */
  double apply(double value, double pushed, State state);
}
