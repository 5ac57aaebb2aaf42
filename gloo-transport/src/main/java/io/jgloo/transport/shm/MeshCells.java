package io.jgloo.transport.shm;

import io.jgloo.transport.ClosedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.Progress;
import io.jgloo.transport.tcp.socket.Link;
import java.util.function.LongPredicate;

/**
 * The cells of a mesh whose ranks all share memory; see {@link CellChannel}.
 *
 * <p>What a peer has published outlives its process and its goodbye: segments stay mapped until the
 * mesh gives its resources back.
 *
 * <p><i>Threads</i>: see {@link Cells}. <i>Owns</i>: the segments of links that are closed.
 */
public final class MeshCells implements Cells {

  /** Ranks of a mesh with cells: a rank writes to each of the others. */
  static final int MAX_RANKS = 16;

  private static final User NO_USER = () -> false;

  private final SharingMesh mesh;
  private final Progress progress;
  private final MemoryLink[] links;
  private final CellChannel[] channels;
  private volatile User user = NO_USER;
  private volatile boolean closed;

  private MeshCells(SharingMesh mesh) {
    this.mesh = mesh;
    progress = mesh.progress();
    links = new MemoryLink[mesh.size()];
    channels = new CellChannel[mesh.size()];
  }

  /** Whether the segments of a mesh have cells. */
  static boolean mayHave(SharingMesh mesh) {
    return mesh.size() <= MAX_RANKS && !mesh.isPairwise() && !mesh.connectsOnFirstUse();
  }

  /**
   * Makes the cells of a mesh that starts, and tells all peers that there are some or none. The
   * mesh's lock is held.
   *
   * @return null if a peer is not connected, or not through memory with cells
   */
  public static MeshCells of(SharingMesh mesh) {
    MeshCells cells = new MeshCells(mesh);
    boolean all = mesh.size() > 1;
    for (int peer = 0; peer < mesh.size(); peer++) {
      boolean has = peer != mesh.rank() && mesh.streamAt(peer).link() instanceof MemoryLink;
      if (has) {
        cells.links[peer] = (MemoryLink) mesh.streamAt(peer).link();
        cells.channels[peer] = cells.links[peer].cells();
      }
      all &= peer == mesh.rank() || cells.channels[peer] != null;
    }
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (cells.channels[peer] != null) {
        cells.channels[peer].namePeer("peer " + peer + mesh.streamAt(peer).where());
        cells.links[peer].announceCells(all);
        cells.links[peer].keepMapped(all);
      }
    }
    return all ? cells : null;
  }

  /** Tells a peer that was connected after the start that this mesh has no cells. */
  public static void announceNone(Link link) {
    if (link instanceof MemoryLink memory && memory.cells() != null) {
      memory.announceCells(false);
    }
  }

  @Override
  public void user(User user) {
    this.user = user;
  }

  /** Asks the user; by the thread that makes progress. Whether it did anything. */
  public boolean advance() {
    boolean moved = user.advance();
    if (moved) {
      progress.wakeSatisfied();
    }
    return moved;
  }

  @Override
  public int agreement() {
    int common = closed ? 0 : 1;
    for (CellChannel channel : channels) {
      if (channel != null && !closed) {
        int announced = channel.announced();
        common = announced < 0 ? -1 : Math.min(common, announced);
      }
    }
    return common;
  }

  @Override
  public long unannounced() {
    long peers = 0;
    for (int peer = 0; peer < channels.length && !closed; peer++) {
      if (channels[peer] != null && channels[peer].announced() == 0) {
        peers |= 1L << peer;
      }
    }
    return peers;
  }

  @Override
  public boolean take() {
    if (!progress.take()) {
      return false;
    }
    if (mesh.hasEnded()) {
      progress.release();
      return false;
    }
    return true;
  }

  @Override
  public void release() {
    progress.release();
  }

  @Override
  public Channel channel(int peer) {
    return channels[peer];
  }

  @Override
  public void wake(int peer) {
    if (channels[peer].mayBlock()) {
      mesh.lock();
      try {
        links[peer].wakePeer();
      } finally {
        mesh.unlockInProgress();
      }
    }
  }

  @Override
  public void checkPresent(int peer, long slot, long high, long low) {
    mesh.lock();
    try {
      EnginePair pair = mesh.pairAt(peer);
      if (pair.hasDeparted() && !channels[peer].hasCell()) {
        pair.failed(pair.departure(new MismatchException.Side(mesh.rank(), slot, 0, high, low)));
      }
    } finally {
      mesh.unlockInProgress();
    }
  }

  /** Messages that this rank has written. */
  public long written() {
    long written = 0;
    for (CellChannel channel : channels) {
      written += channel == null ? 0 : channel.written();
    }
    return written;
  }

  public long awaited(LongPredicate slots) {
    return user.awaited(slots);
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public JGlooException ending() {
    return mesh.hasEnded()
        ? mesh.failure().orElseGet(() -> new ClosedException("the " + mesh + " was closed"))
        : null;
  }

  /** The mesh gives its resources back: the user ends what it does. */
  public void end() {
    user.advance();
    closed = true;
    user.end();
  }

  /** Unmaps the segments of closed links; the others do when they are closed. */
  public void unmap() {
    for (MemoryLink link : links) {
      if (link != null) {
        link.keepMapped(false);
      }
    }
  }
}
