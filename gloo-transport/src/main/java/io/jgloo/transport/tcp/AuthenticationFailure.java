package io.jgloo.transport.tcp;

import java.io.IOException;

/** The other side of a connection has not proved that it has the job's secret. */
final class AuthenticationFailure extends IOException {

  private static final long serialVersionUID = 1L;

  AuthenticationFailure(String message) {
    super(message);
  }

  AuthenticationFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
