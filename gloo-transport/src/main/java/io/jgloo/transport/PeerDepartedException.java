package io.jgloo.transport;

/** The peer has left the group with a goodbye while a request still needed it. */
public final class PeerDepartedException extends PeerLostException {

  private static final long serialVersionUID = 1L;

  public PeerDepartedException(int peer, String message) {
    super(peer, message, null);
  }

  private PeerDepartedException(
      String message, PeerDepartedException original, FailureContext context) {
    super(message, original, context);
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new PeerDepartedException(message, this, context);
  }
}
