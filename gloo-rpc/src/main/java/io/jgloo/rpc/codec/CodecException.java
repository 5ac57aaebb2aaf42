package io.jgloo.rpc.codec;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/** The bytes of a message are no value of the type they should be. */
public final class CodecException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public CodecException(String message) {
    super(message, null);
  }

  private CodecException(
      String message, CodecException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new CodecException(message, this, context);
  }
}
