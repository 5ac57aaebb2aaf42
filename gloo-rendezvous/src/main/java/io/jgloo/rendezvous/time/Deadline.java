package io.jgloo.rendezvous.time;

import io.jgloo.transport.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The instant at which an operation times out. */
public final class Deadline {
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 2; // 146 years; keeps now + it valid

  private final long atNanos;
  private final Clock clock;

  private Deadline(long atNanos, Clock clock) {
    this.atNanos = atNanos;
    this.clock = clock;
  }

  /** That far from now; {@link Duration#ZERO} has passed already. */
  public static Deadline after(Duration timeout) {
    return after(timeout, Clock.SYSTEM);
  }

  /** That far from now by this clock, such as that of a device. */
  public static Deadline after(Duration timeout, Clock clock) {
    if (timeout == null || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be zero or more, is " + timeout);
    }
    return new Deadline(clock.nanoTime() + nanos(timeout), clock);
  }

  /** {@code timeout} in nanoseconds, 146 years at most. */
  public static long nanos(Duration timeout) {
    boolean fits = timeout.toSeconds() < TimeUnit.NANOSECONDS.toSeconds(LONGEST_NANOS);
    return fits ? timeout.toNanos() : LONGEST_NANOS;
  }

  /** {@code timeout} in milliseconds, 146 years at most. */
  public static long millis(Duration timeout) {
    return TimeUnit.NANOSECONDS.toMillis(nanos(timeout));
  }

  /** Nanoseconds left; zero or less once it has passed. */
  public long remainingNanos() {
    return atNanos - clock.nanoTime();
  }

  /** Time left; {@link Duration#ZERO} once it has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, remainingNanos()));
  }

  /** Time left, but not more than {@code most}. */
  public Duration remaining(Duration most) {
    return shorter(remaining(), most);
  }

  public static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Milliseconds left, rounded up, between 1 and {@code most}: what select and poll take. */
  public long remainingMillis(long most) {
    long millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, remainingNanos()) + 999_999);
    return Math.max(1, Math.min(most, millis));
  }

  public boolean passed() {
    return remainingNanos() <= 0;
  }

  public boolean isBefore(Deadline other) {
    return atNanos - other.atNanos < 0;
  }

  /** That much after this one. */
  public Deadline later(Duration grace) {
    return new Deadline(atNanos + nanos(grace), clock);
  }

  /** This one, or one {@code grace} from now if that is later. */
  public Deadline orAtLeast(Duration grace) {
    Deadline least = after(grace, clock);
    return least.atNanos - atNanos > 0 ? least : this;
  }
}
