package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.shm.SharingMesh;
import io.jgloo.transport.tcp.socket.Link;
import java.util.List;

/** A mesh of byte streams, as the streams use it. */
public abstract class StreamMesh extends SharingMesh {

  /** What one greedy read takes at most: 64 KiB was 20 % slower, 1 MiB no faster; and headers. */
  public static final int SCRATCH_BYTES = (256 << 10) + 4096;

  protected StreamMesh(Membership membership, FailureScope scope, Platform platform) {
    super(membership, scope, platform);
  }

  public abstract Settings settings();

  @Override
  public abstract Stream streamAt(int peer);

  /** {@link #SCRATCH_BYTES} of memory for one read at a time. */
  public abstract long scratch();

  public abstract Traffic traffic();

  public abstract SocketSource source();

  /** A peer has failed its mesh. */
  public abstract void receivedAbort(byte[] notice, EnginePair from);

  /** A peer that sent a goodbye has closed: its sockets are no longer needed. */
  public abstract void retire(Stream stream);

  /** Closes the connections of a pair that has ended, and what its stream owns. */
  public abstract void release(Stream stream, List<Link> links, byte[] staged);
}
