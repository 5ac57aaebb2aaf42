package io.jgloo.ps.kv;

import io.jgloo.ps.node.NodeId;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/**
 * A server was replaced by a process that does not have its values, and executed nothing.
 *
 * <p>{@link io.jgloo.ps.KvWorker#acceptState} lets calls go to the new one.
 */
public final class StateLostException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient NodeId server;

  public StateLostException(NodeId server, String message) {
    super(message, null);
    this.server = server;
  }

  private StateLostException(
      String message, StateLostException original, @Nullable FailureContext context) {
    super(message, original, context);
    server = original.server;
  }

  /** The server that was replaced. */
  public NodeId server() {
    return server;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new StateLostException(message, this, context);
  }
}
