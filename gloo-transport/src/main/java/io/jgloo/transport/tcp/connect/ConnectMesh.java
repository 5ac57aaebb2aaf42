package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.stream.StreamMesh;
import java.io.IOException;
import java.util.function.LongPredicate;

/** A mesh whose pairs are connected by the device's thread, as the connecting classes use it. */
public abstract class ConnectMesh extends StreamMesh {

  protected ConnectMesh(Membership membership, FailureScope scope, Platform platform) {
    super(membership, scope, platform);
  }

  public abstract ConnectionTable connectionTable();

  public abstract Handshake handshake();

  /** The work of the device's thread for this mesh. */
  public abstract DeviceTasks tasks();

  /** What is reserved for its connections. */
  public abstract OpenFiles openFiles();

  /** Starts to poll the streams: all are connected, or may be later. The lock is held. */
  public abstract void start() throws IOException;

  /** A stream is connected after the start: its queued frames are sent. The lock is held. */
  public abstract void joined(Stream stream);

  /** Whether requests are under way, or bytes of sends that are done; the lock is held. */
  public abstract boolean hasPending();

  /** Ranks whose cells are awaited in calls of some slots, by bit. */
  public abstract long awaitedCells(LongPredicate slots);
}
