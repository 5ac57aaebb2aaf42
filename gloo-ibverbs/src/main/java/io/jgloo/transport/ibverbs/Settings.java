package io.jgloo.transport.ibverbs;

/**
 * The attributes of a device that its meshes need.
 *
 * @param mtu code of the packet size, or 0 for the port's
 * @param trafficClass of the packets
 * @param serviceLevel priority
 * @param retries how often a packet is sent again
 * @param timeout code of the wait for an acknowledgement
 * @param eagerBytes longest message sent eagerly
 * @param depth messages under way in each direction of a pair
 * @param inlineBytes longest send handed over with its work request
 * @param windowBytes most bytes of unexpected messages held for a peer
 * @param registerBytes shortest message for which user memory is registered on the fly
 * @param bounceBytes pinned memory of a mesh to copy through, for each direction
 * @param pinnedBytes most this device pins
 * @param spinNanos how long a waiting thread polls before it blocks
 * @param spreads whether a waiting thread leaves a core that others want
 */
record Settings(
    int mtu,
    int trafficClass,
    int serviceLevel,
    int retries,
    int timeout,
    int eagerBytes,
    int depth,
    int inlineBytes,
    long windowBytes,
    long registerBytes,
    long bounceBytes,
    long pinnedBytes,
    long spinNanos,
    boolean spreads) {

  /** Longest eager message: longer ones are written into place, which costs no copy. */
  static final int MAX_EAGER = 1 << 20;

  /** Bytes of a slot of the rings: a header and an eager message. */
  int slotBytes() {
    return (Frame.BYTES + eagerBytes + 63) & -64;
  }
}
