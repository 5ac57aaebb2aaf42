package io.jgloo.transport.ibverbs.verbs;

/**
 * Memory that is pinned and known to a device.
 *
 * @param handle for {@link Verbs#deregister}
 * @param localKey names it in own work requests
 * @param remoteKey names it in the peer's
 */
public record MemoryRegion(long handle, long address, long length, int localKey, int remoteKey) {

  /** The device may write it: for receives, and as the target of own reads. */
  public static final int LOCAL_WRITE = 1;

  /** The peer may write it; needs {@link #LOCAL_WRITE}. */
  public static final int REMOTE_WRITE = 2;

  /** The peer may read it. */
  public static final int REMOTE_READ = 4;
}
