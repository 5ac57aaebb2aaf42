package io.jgloo.rendezvous;

/** A store could not do what it was asked; the subclasses say why where that matters. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure that began here. */
  public StoreException(String message) {
    super(message);
  }

  /** A failure with the one that led to it ({@code null} if none did). */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
