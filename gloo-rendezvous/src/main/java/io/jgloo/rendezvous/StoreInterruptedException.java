package io.jgloo.rendezvous;

/** The calling thread was interrupted while it waited; its interrupt flag is set again. */
public final class StoreInterruptedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Says what was waited for, and sets the current thread's interrupt flag. */
  public StoreInterruptedException(String message, Throwable cause) {
    super(message, cause);
    Thread.currentThread().interrupt();
  }
}
