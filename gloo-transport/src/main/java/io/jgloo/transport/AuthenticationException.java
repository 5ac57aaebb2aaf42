package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/**
 * Another process has not proved that it is of this one's job: by the {@link JobSecret}, or by a
 * certificate ({@link TlsOptions}).
 */
public final class AuthenticationException extends JGlooException {

  private static final long serialVersionUID = 1L;

  public AuthenticationException(String message) {
    super(message, null);
  }

  public AuthenticationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private AuthenticationException(
      String message, AuthenticationException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new AuthenticationException(message, this, context);
  }
}
