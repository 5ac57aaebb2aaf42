package io.jgloo.ps.node;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes of a group did not reach a barrier in time. */
public final class BarrierTimeoutException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient List<NodeId> missing;

  public BarrierTimeoutException(String message, List<NodeId> missing, @Nullable Throwable cause) {
    super(message, cause);
    this.missing = List.copyOf(missing);
  }

  private BarrierTimeoutException(
      String message, BarrierTimeoutException original, @Nullable FailureContext context) {
    super(message, original, context);
    missing = original.missing;
  }

  /** The nodes that had not called; empty if that is not known. */
  public List<NodeId> missing() {
    return missing;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new BarrierTimeoutException(message, this, context);
  }
}
