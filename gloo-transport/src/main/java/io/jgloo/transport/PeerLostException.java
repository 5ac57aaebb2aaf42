package io.jgloo.transport;

/** The link to a peer broke: its process died, was cut off, or reset the connection. */
public class PeerLostException extends GlooException {

  private static final long serialVersionUID = 1L;

  private final int peer;

  public PeerLostException(int peer, String message, Throwable cause) {
    super(message, cause);
    this.peer = peer;
  }

  PeerLostException(String message, PeerLostException original, FailureContext context) {
    super(message, original, context);
    peer = original.peer;
  }

  /** Rank that was lost. */
  public final int peer() {
    return peer;
  }

  @Override
  protected GlooException copy(String message, FailureContext context) {
    return new PeerLostException(message, this, context);
  }
}
