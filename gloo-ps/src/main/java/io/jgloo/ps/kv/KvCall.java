package io.jgloo.ps.kv;

import io.jgloo.rpc.agent.Priority;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a call of a {@link io.jgloo.ps.KvWorker}.
 *
 * @param lens number of values of each key that is pushed; null if all have the same
 * @param command a number for the handle of the server
 * @param priority which of the calls that wait to be sent goes first
 * @param timeout when the call fails
 * @param callback runs when the call has ended; null for none
 * @param repeats timestamp of the call that it repeats, or -1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KvCall(
    int @Nullable [] lens,
    int command,
    Priority priority,
    Duration timeout,
    @Nullable Consumer<@Nullable JGlooException> callback,
    long repeats) {

  /** No lens, command 0, normal priority, a minute, no callback. */
  public static final KvCall DEFAULTS =
      new KvCall(null, 0, Priority.NORMAL, Duration.ofMinutes(1), null, -1);

  /**
   * @throws IllegalArgumentException if timeout is not positive
   */
  public KvCall {
    Objects.requireNonNull(priority, "priority");
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive, is " + timeout);
    }
  }

  /**
   * This with the number of values of each key, which may differ: of those that are pushed, or of
   * the room for those that are pulled.
   *
   * @param each null if all have the same; not copied, and not to be changed until the call has
   *     ended
   */
  public KvCall withLens(int @Nullable ... each) {
    return new KvCall(each, command, priority, timeout, callback, repeats);
  }

  /** This with a number for the handle of the server. */
  public KvCall withCommand(int number) {
    return new KvCall(lens, number, priority, timeout, callback, repeats);
  }

  /**
   * This with another priority: which of the calls that wait to be sent goes first. Never before an
   * earlier call of the same worker and customer whose range of keys overlaps.
   */
  public KvCall withPriority(Priority other) {
    return new KvCall(lens, command, other, timeout, callback, repeats);
  }

  /**
   * This with another timeout.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public KvCall withTimeout(Duration other) {
    return new KvCall(lens, command, priority, other, callback, repeats);
  }

  /**
   * This with an action that runs once when the call has ended, before {@link
   * io.jgloo.ps.KvWorker#waitFor} returns, in the thread that moves messages: it must be short and
   * must not wait. It gets why the call failed, or null.
   */
  public KvCall withCallback(Consumer<@Nullable JGlooException> action) {
    return new KvCall(lens, command, priority, timeout, action, repeats);
  }

  /**
   * This as the repetition of a call that failed, or has not ended, with the same keys and values:
   * a server that has applied its pushes does not apply them again, and one that has begun them
   * answers both. A repetition can be repeated; one of a call that has succeeded changes nothing.
   *
   * @param timestamp of the call, one of the last 4096 of its customer
   * @throws IllegalArgumentException if it is negative
   */
  public KvCall repeating(long timestamp) {
    if (timestamp < 0) {
      throw new IllegalArgumentException("timestamp must not be negative, is " + timestamp);
    }
    return new KvCall(lens, command, priority, timeout, callback, timestamp);
  }
}
