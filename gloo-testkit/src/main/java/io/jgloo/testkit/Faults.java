package io.jgloo.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Failures of a test's ranks and of the network between them. Called before the ranks run, a fault
 * is planned, and occurs when all are connected; called by a rank, it occurs now:
 *
 * <pre>{@code
 * faults.kill(2);
 * faults.atCall(2, 3).kill(2); // when rank 2 begins its third collective
 * faults.atRandom(Duration.ofMillis(5)).cut(0, 1); // at an instant that the seed decides
 * }</pre>
 *
 * <p>The body of a test is run by every rank: one of them should call, or a method without a group.
 * A rank that has been killed or stopped does not fail the test. Ranks that are processes can only
 * be killed and stopped, by themselves and by each other.
 *
 * <p><em>Threads</em>: any.
 */
public final class Faults {

  /** What can be made to fail. */
  interface Target {
    void kill(int rank);

    void stop(int rank);

    void delay(int from, int to, Duration time);

    void cut(int first, int second);

    void corrupt(int from, int to);

    void loseStore();

    /** Has something done at that moment. */
    void plan(When when, Runnable fault);
  }

  /**
   * When a fault occurs.
   *
   * @param rank whose call it is; -1 for a random instant
   * @param call number of the collective in the first group, 1 for the first
   * @param within latest instant if it is random
   */
  record When(int rank, long call, Duration within) {}

  private record Planned(@Nullable When when, Consumer<Target> fault) {}

  /** What views of the same faults share. */
  private static final class Plan {
    final int size;
    final List<Planned> planned = new ArrayList<>();
    @Nullable Target target; // null until the ranks run
    boolean random;

    Plan(int size) {
      this.size = size;
    }
  }

  private final Plan plan;
  private final @Nullable When when;

  Faults(int size) {
    this(new Plan(size), null);
  }

  private Faults(Plan plan, @Nullable When when) {
    this.plan = plan;
    this.when = when;
  }

  /**
   * These faults, at the moment at which a rank begins its collective of that number.
   *
   * @param call 1 for the first collective of the test's group
   * @throws IllegalArgumentException if there is no such rank, or call is less than 1
   */
  public Faults atCall(int rank, long call) {
    if (call < 1) {
      throw new IllegalArgumentException("call must be 1 or more, but is " + call);
    }
    return new Faults(plan, new When(checked("rank", rank), call, Duration.ZERO));
  }

  /**
   * These faults, at an instant from now that the seed of the run decides.
   *
   * @param within the latest instant
   * @throws IllegalArgumentException if it is not positive
   */
  public Faults atRandom(Duration within) {
    if (within.isNegative() || within.isZero()) {
      throw new IllegalArgumentException("within must be positive, but is " + within);
    }
    synchronized (plan) {
      plan.random = true;
    }
    return new Faults(plan, new When(-1, 0, within));
  }

  /** Kills a rank: its connections break; as a process it gets SIGKILL. */
  public void kill(int rank) {
    checked("rank", rank);
    add(target -> target.kill(rank));
  }

  /** Stops a rank for good: no byte comes from it any more; as a process it gets SIGSTOP. */
  public void stop(int rank) {
    checked("rank", rank);
    add(target -> target.stop(rank));
  }

  /** Makes bytes take this long from one rank to another, in this direction. */
  public void delay(int from, int to, Duration time) {
    different("from", from, "to", to);
    Objects.requireNonNull(time, "time");
    add(target -> target.delay(from, to, time));
  }

  /** Cuts the network between two ranks, in both directions. */
  public void cut(int first, int second) {
    different("first", first, "second", second);
    add(target -> target.cut(first, second));
  }

  /** Changes a bit of what is next sent from one rank to another. */
  public void corrupt(int from, int to) {
    different("from", from, "to", to);
    add(target -> target.corrupt(from, to));
  }

  /** Loses the store: its calls fail from now on. A simulated test has none. */
  public void loseStore() {
    add(Target::loseStore);
  }

  private void different(String first, int one, String second, int other) {
    checked(first, one);
    checked(second, other);
    if (one == other) {
      throw new IllegalArgumentException(
          first + " and " + second + " must be two ranks, but both are " + one);
    }
  }

  private int checked(String name, int rank) {
    if (rank < 0 || rank >= plan.size) {
      throw new IllegalArgumentException(
          name + " must be 0 to " + (plan.size - 1) + ", but is " + rank);
    }
    return rank;
  }

  private void add(Consumer<Target> fault) {
    Target target;
    synchronized (plan) {
      target = plan.target;
      if (target == null) {
        plan.planned.add(new Planned(when, fault));
      }
    }
    if (target != null) {
      occur(target, when, fault);
    }
  }

  private static void occur(Target target, @Nullable When when, Consumer<Target> fault) {
    if (when == null) {
      fault.accept(target);
    } else {
      target.plan(when, () -> fault.accept(target));
    }
  }

  /** The ranks run from now on: what is planned occurs. */
  void begin(Target target) {
    List<Planned> due;
    synchronized (plan) {
      plan.target = target;
      due = List.copyOf(plan.planned);
    }
    due.forEach(each -> occur(target, each.when, each.fault));
  }

  /** The ranks have ended: faults are planned for the next run. */
  void end() {
    synchronized (plan) {
      plan.target = null;
    }
  }

  boolean isRandom() {
    synchronized (plan) {
      return plan.random;
    }
  }
}
