package io.jgloo.rendezvous;

/** The handle was closed, before the call or while it waited. */
public final class StoreClosedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Names the store whose handle was closed. */
  public StoreClosedException(String store) {
    super(store + " is closed");
  }
}
