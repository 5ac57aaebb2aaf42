package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;

/** Finds libibverbs on this machine. */
final class VerbsLibrary {

  private VerbsLibrary() {}

  /**
   * The library, loaded once.
   *
   * @throws UnavailableException that says what is missing or forbidden
   */
  static Verbs load() {
    throw new UnavailableException("no binding of libibverbs is part of this build");
  }
}
