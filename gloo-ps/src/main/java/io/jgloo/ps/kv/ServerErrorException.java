package io.jgloo.ps.kv;

import io.jgloo.ps.node.NodeId;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** A server answered a call with an error, or with values that do not fit the call. */
public final class ServerErrorException extends JGlooException {

  private static final long serialVersionUID = 1L;

  /** The handle threw an exception. */
  public static final int HANDLE_FAILED = -1;

  /** The type of the values is not that of the server's application. */
  public static final int WRONG_TYPE = -2;

  /** A key has another number of values than are pushed, or than there is room for. */
  public static final int WRONG_LENGTH = -3;

  /** A key is not one of this server, by its slicer. */
  public static final int WRONG_SERVER = -4;

  /** The server does not have the application. */
  public static final int UNKNOWN_APPLICATION = -5;

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
   * The code that the handle gave to {@link io.jgloo.ps.handle.Responder#error}, or one of these.
   */
  public int code() {
    return code;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new ServerErrorException(message, this, context);
  }
}
