package io.jgloo.transport;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A deadline passed; names the ranks whose messages had not arrived. */
public final class OperationTimeoutException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient List<Integer> missingPeers;
  private final boolean confirmed;

  /**
   * @param missingPeers ranks whose messages were awaited at the deadline
   */
  public OperationTimeoutException(String message, Collection<Integer> missingPeers) {
    this(message, missingPeers, false);
  }

  /**
   * @param missingPeers ranks whose messages were awaited at the deadline
   * @param confirmed see {@link #isConfirmed}
   */
  public OperationTimeoutException(
      String message, Collection<Integer> missingPeers, boolean confirmed) {
    super(message, null);
    this.missingPeers = List.copyOf(missingPeers);
    this.confirmed = confirmed;
  }

  private OperationTimeoutException(
      String message, OperationTimeoutException original, @Nullable FailureContext context) {
    super(message, original, context);
    missingPeers = original.missingPeers;
    confirmed = original.confirmed;
  }

  /** Ranks whose messages were awaited at the deadline. */
  public List<Integer> missingPeers() {
    return missingPeers;
  }

  /**
   * Whether the missing peers were asked and found to hold up the call: they do not answer, or are
   * late. Otherwise they may themselves wait for another rank.
   */
  public boolean isConfirmed() {
    return confirmed;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new OperationTimeoutException(message, this, context);
  }
}
