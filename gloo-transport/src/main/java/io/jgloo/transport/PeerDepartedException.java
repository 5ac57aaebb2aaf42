package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** The peer has left the group with a goodbye while a request still needed it. */
public final class PeerDepartedException extends PeerLostException {

  private static final long serialVersionUID = 1L;

  public PeerDepartedException(int peer, String message) {
    super(peer, message, null);
  }

  private PeerDepartedException(
      String message, PeerDepartedException original, @Nullable FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new PeerDepartedException(message, this, context);
  }
}
