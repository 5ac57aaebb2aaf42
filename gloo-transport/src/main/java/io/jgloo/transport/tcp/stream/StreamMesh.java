package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Wire;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.SharingMesh;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Poller;
import java.util.List;
import java.util.Map;

/**
 * A mesh of byte streams, and what they share.
 *
 * <p><i>Owns</i>: streams, sockets' source, scratch.
 */
public abstract class StreamMesh extends SharingMesh {

  /** What one greedy read takes at most: 64 KiB was 20 % slower, 1 MiB no faster; and headers. */
  static final int SCRATCH_BYTES = (256 << 10) + 4096;

  private final Settings settings;
  private final SocketSource source;
  private final Stream[] streams;
  private final long scratch = Memory.allocate(SCRATCH_BYTES, Memory.CACHE_LINE);

  // Counted under the lock.
  private long bytesIn;
  private long bytesOut;
  private long reads;
  private long writes;
  private long bytesInPlace;
  private long bytesInShared;
  private long bytesOutShared;

  protected StreamMesh(
      Membership membership,
      FailureScope scope,
      Platform platform,
      Settings settings,
      Poller poller) {
    super(membership, scope, platform, settings.memory());
    this.settings = settings;
    source = new SocketSource(this, poller);
    streams = new Stream[membership.size()];
  }

  @Override
  protected final Route newRoute(EnginePair pair) {
    streams[pair.peer()] = new Stream(this, pair);
    return streams[pair.peer()].route();
  }

  public final Settings settings() {
    return settings;
  }

  @Override
  public final Wire wire() {
    return settings.wire();
  }

  @Override
  public final Stream streamAt(int peer) {
    return streams[peer];
  }

  /** {@link #SCRATCH_BYTES} of memory for one read at a time. */
  final long scratch() {
    return scratch;
  }

  protected final void freeScratch() {
    Memory.free(scratch);
  }

  public final SocketSource source() {
    return source;
  }

  /** A peer has failed its mesh. */
  public abstract void receivedAbort(byte[] notice, EnginePair from);

  /** A peer that sent a goodbye has closed: its sockets are no longer needed. */
  public abstract void retire(Stream stream);

  /** Closes the connections of a pair that has ended, and what its stream owns. */
  public abstract void release(Stream stream, List<Link> links, byte[] staged);

  // Counters.

  /**
   * Counts a read, of -1 byte at the end of a stream.
   *
   * @param shared whether it was of a ring in shared memory
   */
  final void countRead(int bytes, boolean shared) {
    int found = Math.max(0, bytes);
    reads++;
    bytesIn += found;
    bytesInShared += shared ? found : 0;
  }

  final void countWritten(long bytes, boolean shared) {
    writes++;
    bytesOut += bytes;
    bytesOutShared += shared ? bytes : 0;
  }

  /** Bytes of a message were read in the memory of the peer that sent it. */
  final void countReadInPlace(int bytes) {
    bytesIn += bytes;
    bytesInShared += bytes;
    bytesInPlace += bytes;
  }

  /** The peer has read a message in the memory of this rank. */
  final void countLent(long bytes) {
    bytesOut += bytes;
    bytesOutShared += bytes;
  }

  final long bytesIn() {
    return bytesIn;
  }

  @Override
  protected void count(Map<String, Long> counters) {
    counters.put("bytesIn", bytesIn);
    counters.put("bytesOut", bytesOut);
    counters.put("reads", reads);
    counters.put("writes", writes);
    counters.put("bytesInPlace", bytesInPlace);
    counters.put("bytesInShared", bytesInShared);
    counters.put("bytesOutShared", bytesOutShared);
  }
}
