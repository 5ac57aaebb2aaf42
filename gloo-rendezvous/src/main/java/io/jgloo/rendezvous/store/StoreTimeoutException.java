package io.jgloo.rendezvous.store;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of a wait did not all exist by its deadline. */
public final class StoreTimeoutException extends StoreException {
  private static final long serialVersionUID = 1L;
  private static final int KEYS_IN_MESSAGE = 16;

  private final transient List<String> keys;

  /** The keys {@code keys} did not exist. */
  public StoreTimeoutException(Duration timeout, List<String> keys) {
    super(text(timeout, keys));
    this.keys = List.copyOf(keys);
  }

  private StoreTimeoutException(
      String message, StoreTimeoutException original, @Nullable FailureContext context) {
    super(message, original, context);
    keys = original.keys();
  }

  /**
   * The keys that were missing at the end, in the order asked for. If the store did not answer any
   * more, all keys of the wait. Empty after Java serialization.
   */
  public List<String> keys() {
    return keys == null ? List.of() : keys;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new StoreTimeoutException(message, this, context);
  }

  private static String text(Duration timeout, List<String> keys) {
    String named = String.join(", ", keys.subList(0, Math.min(keys.size(), KEYS_IN_MESSAGE)));
    String rest =
        keys.size() > KEYS_IN_MESSAGE ? " and " + (keys.size() - KEYS_IN_MESSAGE) + " more" : "";
    return "wait timeout after " + Deadline.millis(timeout) + "ms, keys: " + named + rest;
  }
}
