package io.jgloo.transport.capability;

import io.jgloo.transport.Allocation;

/**
 * Memory that peers of this host read in place when something is sent from it.
 *
 * <p><i>Threads</i>: any.
 */
public interface SharedHeap {

  /**
   * Allocates memory, filled with zeros. Peers of this host that share memory with this rank read
   * what is sent from it in place, see {@link Allocation#isShared}; peers that connect later do too
   * unless it is a file with a name. Where no peer shares memory, or no more can be shared, it is
   * plain direct memory.
   *
   * @param bytes 1 to {@link Allocation#MAX_BYTES}
   * @throws IllegalArgumentException if it is not
   * @throws OutOfMemoryError if there is not so much direct memory
   */
  Allocation allocate(long bytes);

  /**
   * Whether memory that is allocated now is shared with a peer, and there is enough left of what
   * can be shared for the staging memory of a library above.
   */
  boolean hasSpare();
}
