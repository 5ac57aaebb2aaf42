package io.jgloo.transport.sim;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, what will happen in it, and the hash of all that has.
 *
 * <p>Time is nanoseconds since the world began. Everything random in a world comes from one
 * generator, drawn from under the scheduler's lock, so that a seed is a history.
 */
final class Timeline {

  /** Something that will happen. */
  private record Event(long time, long number, String what, Runnable action)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long numbers;
  private long hash;
  private @Nullable Consumer<String> listener;
  private Runnable onEarlier = () -> {};

  Timeline(long seed) {
    random = new SplittableRandom(seed);
  }

  long now() {
    return now;
  }

  void advance(long nanos) {
    now += nanos;
  }

  void jumpTo(long time) {
    now = Math.max(now, time);
  }

  /** A random number, 0 to bound - 1. */
  int random(int bound) {
    return random.nextInt(bound);
  }

  long randomLong() {
    return random.nextLong();
  }

  /** A random number between both, either included. */
  long random(long least, long most) {
    return least == most ? least : random.nextLong(least, most + 1);
  }

  /** Lets something happen at an instant; in the order of the calls if several happen then. */
  void at(long time, String what, Runnable action) {
    boolean earlier = time < nextTime();
    events.add(new Event(time, numbers++, what, action));
    if (earlier) {
      onEarlier.run();
    }
  }

  /** Sets what happens when an event is added that is earlier than all others. */
  void onEarlier(Runnable action) {
    onEarlier = action;
  }

  /** When the next event is due; {@link Long#MAX_VALUE} if there is none. */
  long nextTime() {
    Event next = events.peek();
    return next == null ? Long.MAX_VALUE : next.time;
  }

  /** Moves time to the next event and lets it happen. */
  void happen() {
    Event next = events.remove();
    jumpTo(next.time);
    note(next.what, next.number);
    next.action.run();
  }

  /** Lets all events happen that are due. */
  void catchUp() {
    while (nextTime() <= now) {
      happen();
    }
  }

  /** Adds something that happened to the history. */
  void note(String what, long number) {
    hash = (hash ^ (what.hashCode() + 31 * number + now)) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    if (listener != null) {
      listener.accept(now + " ns: " + what + " #" + number);
    }
  }

  long hash() {
    return hash;
  }

  /** Number of events so far. */
  long count() {
    return numbers - events.size();
  }

  void listen(Consumer<String> to) {
    listener = to;
  }
}
