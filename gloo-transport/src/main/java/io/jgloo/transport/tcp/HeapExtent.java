package io.jgloo.transport.tcp;

import io.jgloo.transport.shm.Extent;

/** An extent of a mesh's {@link MeshHeap}, and its number in frames. */
record HeapExtent(int number, Extent memory) {

  /** Whether all bytes of a range lie in it. */
  boolean contains(long address, long length) {
    long offset = address - memory.address();
    return offset >= 0 && length <= memory.bytes() && offset <= memory.bytes() - length;
  }
}
