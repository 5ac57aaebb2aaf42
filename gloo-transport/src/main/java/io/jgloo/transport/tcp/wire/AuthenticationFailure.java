package io.jgloo.transport.tcp.wire;

import java.io.IOException;

/** The other side of a connection has not proved that it has the job's secret. */
public final class AuthenticationFailure extends IOException {

  private static final long serialVersionUID = 1L;

  public AuthenticationFailure(String message) {
    super(message);
  }

  public AuthenticationFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
