package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The tasks of a device's thread, to be run soon or after a pause.
 *
 * <p>A task that takes over a socket comes with a substitute that closes the socket: it runs in
 * place of the task when the thread has ended, once.
 *
 * <p><i>Threads</i>: {@link #add} and {@link #isEmpty} any, the rest the device's.
 */
public final class LoopTasks {

  /** For a task that owns nothing. */
  public static final Runnable NOTHING = () -> {};

  private record Task(long atNanos, Runnable body, Runnable substitute) {}

  private final Clock clock;
  private final Queue<Task> soon = new ConcurrentLinkedQueue<>();
  private final List<Task> later = new ArrayList<>();
  private volatile boolean ended;

  public LoopTasks(Clock clock) {
    this.clock = clock;
  }

  /** Has a task run soon, or runs its substitute if the thread has ended. */
  public void add(Runnable body, Runnable substitute) {
    Task task = new Task(0, body, substitute);
    soon.add(task);
    if (ended && soon.remove(task)) { // else the end has found it
      substitute.run();
    }
  }

  /** Has a task run after a pause. */
  public void addLater(long pauseNanos, Runnable body, Runnable substitute) {
    later.add(new Task(clock.nanoTime() + pauseNanos, body, substitute));
  }

  public boolean isEmpty() {
    return soon.isEmpty();
  }

  /** The given pause, or less if a task is due earlier. */
  public long pause(long pauseNanos, long now) {
    long pause = pauseNanos;
    for (Task task : later) {
      pause = Math.min(pause, Math.max(1, task.atNanos - now));
    }
    return pause;
  }

  /**
   * Runs what is due.
   *
   * @param runner runs one task, and throws nothing
   */
  public void run(Consumer<Runnable> runner) {
    for (Task task = soon.poll(); task != null; task = soon.poll()) {
      runner.accept(task.body);
    }
    long now = clock.nanoTime();
    List<Task> due = new ArrayList<>();
    later.removeIf(task -> task.atNanos - now <= 0 && due.add(task));
    due.forEach(task -> runner.accept(task.body));
  }

  /** Runs the substitute of each task that is left, and of those that are added from now on. */
  public void end(Consumer<Runnable> runner) {
    ended = true; // before the last look: a task added later than that sees it
    for (Task task = soon.poll(); task != null; task = soon.poll()) {
      runner.accept(task.substitute);
    }
    later.forEach(task -> runner.accept(task.substitute));
    later.clear();
  }
}
