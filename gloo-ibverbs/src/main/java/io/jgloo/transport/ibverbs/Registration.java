package io.jgloo.transport.ibverbs;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Memory made known to a mesh's device, until closed: messages from and into it are moved without a
 * copy, and peers that have its key may read and write it.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: the registration, not the memory.
 */
@NullMarked
public interface Registration extends AutoCloseable {

  long address();

  /** Length in bytes. */
  long length();

  /** The object that keeps the memory alive, or null. */
  @Nullable Object keepAlive();

  /** What a peer needs to reach this memory; to be brought to it by any way there is. */
  RemoteKey remoteKey();

  /**
   * Gives the memory back; no posted request and no peer may use it any more. May be called often,
   * and is done by the mesh when that is closed.
   */
  @Override
  void close();
}
