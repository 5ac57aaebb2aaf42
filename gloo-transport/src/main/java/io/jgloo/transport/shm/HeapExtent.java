package io.jgloo.transport.shm;

/** An extent of a mesh's {@link MeshHeap}, and its number in frames. */
public record HeapExtent(int number, Extent memory) {

  /** Whether all bytes of a range lie in it. */
  boolean contains(long address, long length) {
    long offset = address - memory.address();
    return offset >= 0 && length <= memory.bytes() && offset <= memory.bytes() - length;
  }
}
