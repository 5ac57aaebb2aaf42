package io.jgloo.transport.memory;

/** Has off-heap memory watched over while it is open. */
public final class GuardedMemory implements AutoCloseable {

  private final MemoryGuard guard = new MemoryGuard();

  public GuardedMemory() {
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
