package io.jgloo.rendezvous;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some ranks of the group did not join by the deadline. */
public final class RendezvousTimeoutException extends RendezvousException {
  private static final long serialVersionUID = 1L;

  private final transient List<Integer> missingRanks;

  RendezvousTimeoutException(
      String message, Collection<Integer> missingRanks, @Nullable Throwable cause) {
    super(message, cause);
    this.missingRanks = missingRanks.stream().sorted().toList();
  }

  private RendezvousTimeoutException(
      String message, RendezvousTimeoutException original, @Nullable FailureContext context) {
    super(message, original, context);
    missingRanks = original.missingRanks;
  }

  /** Exactly the ranks that did not join, in order. */
  public List<Integer> missingRanks() {
    return missingRanks;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new RendezvousTimeoutException(message, this, context);
  }
}
