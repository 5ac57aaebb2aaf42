package io.jgloo.rendezvous.store.table;

/** A table has no room for a value. */
public final class TableFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TableFullException(String message) {
    super(message);
  }
}
