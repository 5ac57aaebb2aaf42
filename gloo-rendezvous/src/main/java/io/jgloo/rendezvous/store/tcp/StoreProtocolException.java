package io.jgloo.rendezvous.store.tcp;

import java.io.IOException;

/** The bytes on a connection are not the store protocol, or exceed its limits. */
final class StoreProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreProtocolException(String message) {
    super(message);
  }
}
