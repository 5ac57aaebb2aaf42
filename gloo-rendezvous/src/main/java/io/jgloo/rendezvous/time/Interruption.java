package io.jgloo.rendezvous.time;

import io.jgloo.transport.InterruptedOperationException;

/** The exception of a thread that is interrupted while it waits for a store. */
public final class Interruption {
  private Interruption() {}

  /** The exception to throw, with the current thread's interrupt flag set again. */
  public static InterruptedOperationException during(String what, Throwable cause) {
    Thread.currentThread().interrupt();
    return new InterruptedOperationException("interrupted while " + what, cause);
  }
}
