package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Request;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link io.jgloo.transport.Mesh} can do beyond messages if its device reaches the memory of
 * other ranks: {@code mesh instanceof OneSided}.
 *
 * <p>The peer takes no part: it is not notified of a put or get. Ranks synchronize by messages.
 *
 * <p><i>Threads</i>: any.
 */
@NullMarked
public interface OneSided {

  /**
   * Makes memory known to the device.
   *
   * @param keepAlive object that must stay reachable while the memory is registered, or null
   * @throws IllegalArgumentException if the range is empty or begins where another does
   * @throws io.jgloo.transport.UnavailableException if that much memory may not be pinned; names
   *     need and limit
   * @throws io.jgloo.transport.ClosedException if the mesh is closed
   */
  Registration register(long address, long length, @Nullable Object keepAlive);

  /**
   * Writes the request's bytes to a peer's memory; completes when they are there. The request's
   * slot, fingerprint and reduction have no meaning.
   *
   * @param remoteOffset first byte to write, within the key's range
   * @throws IllegalArgumentException if the key is this rank's, or its range does not hold the
   *     bytes
   * @throws IllegalStateException as {@link io.jgloo.transport.Pair#send}
   */
  void put(Request request, RemoteKey key, long remoteOffset);

  /** Reads bytes of a peer's memory into the request's; else as {@link #put}. */
  void get(Request request, RemoteKey key, long remoteOffset);
}
