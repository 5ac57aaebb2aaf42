package io.jgloo.transport;

import java.util.Collection;
import java.util.List;

/** A deadline passed; names the ranks that had not been heard from. */
public final class OperationTimeoutException extends GlooException {

  private static final long serialVersionUID = 1L;

  private final transient List<Integer> missingPeers;

  /**
   * @param missingPeers ranks whose messages were awaited at the deadline
   */
  public OperationTimeoutException(String message, Collection<Integer> missingPeers) {
    super(message, null);
    this.missingPeers = List.copyOf(missingPeers);
  }

  private OperationTimeoutException(
      String message, OperationTimeoutException original, FailureContext context) {
    super(message, original, context);
    missingPeers = original.missingPeers;
  }

  /** Ranks whose messages were awaited at the deadline. */
  public List<Integer> missingPeers() {
    return missingPeers;
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new OperationTimeoutException(message, this, context);
  }
}
