package io.jgloo.transport;

import org.jspecify.annotations.Nullable;

/** The link to a peer broke: its process died, was cut off, or reset the connection. */
public class PeerLostException extends JGlooException {

  private static final long serialVersionUID = 1L;

  private final int peer;

  public PeerLostException(int peer, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.peer = peer;
  }

  PeerLostException(String message, PeerLostException original, @Nullable FailureContext context) {
    super(message, original, context);
    peer = original.peer;
  }

  /** Rank that was lost. */
  public final int peer() {
    return peer;
  }

  @Override
  protected JGlooException copy(String message, @Nullable FailureContext context) {
    return new PeerLostException(message, this, context);
  }
}
