package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/**
 * Zeroed native memory for one call.
 *
 * @param at its address
 */
record Scratch(long at) implements AutoCloseable {

  static Scratch of(int bytes) {
    long at = Memory.allocate(bytes, Long.BYTES);
    Memory.setZero(at, bytes);
    return new Scratch(at);
  }

  @Override
  public void close() {
    Memory.free(at);
  }
}
