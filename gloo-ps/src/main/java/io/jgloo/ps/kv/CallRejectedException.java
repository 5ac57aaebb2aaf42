package io.jgloo.ps.kv;

import io.jgloo.ps.node.NodeId;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/**
 * A call does not fit what the servers have: it has room for more or fewer values, or its
 * application is not there. Repeated, it fails again.
 */
public final class CallRejectedException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient NodeId server;

  public CallRejectedException(NodeId server, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.server = server;
  }

  private CallRejectedException(
      String message, CallRejectedException original, @Nullable FailureContext context) {
    super(message, original, context);
    server = original.server;
  }

  /** The server that the call does not fit. */
  public NodeId server() {
    return server;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new CallRejectedException(message, this, context);
  }
}
