package io.jgloo.ps.kv;

import io.jgloo.ps.node.NodeId;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** A server answered a call with an error. */
public final class ServerErrorException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final transient NodeId server;
  private final int code;

  public ServerErrorException(NodeId server, int code, String message) {
    super(message, null);
    this.server = server;
    this.code = code;
  }

  private ServerErrorException(
      String message, ServerErrorException original, @Nullable FailureContext context) {
    super(message, original, context);
    server = original.server;
    code = original.code;
  }

  /** The server that answered. */
  public NodeId server() {
    return server;
  }

  /**
   * The code that the handle gave to {@link io.jgloo.ps.handle.Responder#error}, or one of {@link
   * io.jgloo.ps.handle.Responder}.
   */
  public int code() {
    return code;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new ServerErrorException(message, this, context);
  }
}
