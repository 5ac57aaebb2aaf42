package io.jgloo.transport.memory;

import java.util.function.BooleanSupplier;

/** Has off-heap memory watched over while it is open. */
public final class GuardedMemory implements AutoCloseable {

  private final MemoryGuard guard;

  public GuardedMemory() {
    this(() -> false);
  }

  /**
   * @param exhausted whether an allocation by the calling thread fails
   */
  public GuardedMemory(BooleanSupplier exhausted) {
    guard = new MemoryGuard(exhausted);
    Memory.guard(guard);
  }

  /**
   * @throws AssertionError if a wrong write has been found
   */
  public void check() {
    if (guard.found() != null) {
      throw new AssertionError(guard.found());
    }
  }

  @Override
  public void close() {
    Memory.guard(null);
  }
}
