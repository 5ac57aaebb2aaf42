package io.jgloo;

import io.jgloo.collectives.execution.Staged;
import io.jgloo.transport.memory.Memory;

/**
 * No memory: what is loaded is zero, what is stored is lost.
 *
 * <p><em>Threads</em>: any.
 */
final class ZeroMemory implements Staged {

  static final ZeroMemory INSTANCE = new ZeroMemory();

  private ZeroMemory() {}

  @Override
  public void load(long offset, long target, long bytes) {
    Memory.setZero(target, bytes);
  }

  @Override
  public void store(long source, long offset, long bytes) {}

  @Override
  public String toString() {
    return "zeros";
  }
}
