package io.jgloo.collectives.execution;

/**
 * Memory that has no address, such as an array: its bytes reach the transport by way of staging
 * memory.
 *
 * <p><em>Threads</em>: one at a time, not always the same.
 */
public interface Staged {

  /** Copies bytes from here to memory; offset and length are multiples of the element size. */
  void load(long offset, long target, long bytes);

  /**
   * Whether what is stored differs from what was loaded even if nothing was done to it meanwhile,
   * so that no block may be left alone.
   */
  default boolean changesWhatPasses() {
    return false;
  }

  /** Copies bytes from memory to here; offset and length are multiples of the element size. */
  void store(long source, long offset, long bytes);
}
