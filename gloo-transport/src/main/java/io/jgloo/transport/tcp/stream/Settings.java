package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Wire;
import io.jgloo.transport.shm.MemorySettings;
import io.jgloo.transport.tcp.socket.KeepAlive;
import io.jgloo.transport.tcp.wire.PairOptions;
import io.jgloo.transport.tls.TlsContext;

/**
 * The attributes of a device that its meshes need.
 *
 * @param wire protocol of the pairs
 * @param connecting when the pairs of a mesh are connected
 * @param eagerBytes longest message sent eagerly
 * @param pair what both ranks of a pair must have alike
 * @param misses periods of heartbeats without a byte after which a peer is lost
 * @param keepAlive when idle sockets are probed
 * @param windowBytes most bytes of unexpected messages held for a peer
 * @param spinNanos how long a waiting thread polls before it blocks
 * @param spreads whether a waiting thread leaves a core that others want
 * @param congestion congestion control for peers on this host: a name, or null for the system's
 * @param memory whether ranks of one host share memory
 * @param secret which peers must prove to have, or null
 * @param tls what encrypts connections, or null
 */
public record Settings(
    Wire wire,
    Connecting connecting,
    PairOptions pair,
    int misses,
    KeepAlive keepAlive,
    long eagerBytes,
    long windowBytes,
    long spinNanos,
    boolean spreads,
    String congestion,
    MemorySettings memory,
    JobSecret secret,
    TlsContext tls) {

  /** These with what a device can have where it runs. */
  public Settings at(String possibleCongestion, MemorySettings possibleMemory, TlsContext context) {
    return new Settings(
        wire,
        connecting,
        pair,
        misses,
        keepAlive,
        eagerBytes,
        windowBytes,
        spinNanos,
        spreads,
        possibleCongestion,
        possibleMemory,
        secret,
        context);
  }

  /** Whether Gloo's connections present the rank of the side that dials, as PyTorch's lazy ones. */
  public boolean rankAsSequence() {
    return wire == Wire.GLOO && connecting == Connecting.LAZY;
  }

  public int connections() {
    return pair.connections();
  }

  /** Checks that this process's certificate, if it has one, names its rank in a group. */
  public void requireOwnRank(int rank) {
    if (tls != null) {
      tls.requireOwnRank(rank);
    }
  }
}
