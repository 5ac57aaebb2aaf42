package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.engine.Source;
import io.jgloo.transport.shm.MemoryLinks;
import io.jgloo.transport.shm.MeshCells;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Pollable;
import io.jgloo.transport.tcp.socket.Poller;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Finds out which of a mesh's sockets are ready.
 *
 * <p>It reads the pair first on which a receive was posted last: one read finds a message 0.1 to
 * 0.4 us sooner than a poll and a read.
 *
 * <p><i>Threads</i>: {@link Source}'s methods as said there; {@link #adopt}, {@link #expect} and
 * {@link #lookAt} under the mesh's lock.
 */
public final class SocketSource implements Source {

  /** Looks at memory alone between two polls, about 5 us, when all peers share memory. */
  private static final int MEMORY_GLANCES = 256;

  /** The same when some are reached by sockets. */
  private static final int MIXED_GLANCES = 8;

  /** Looks at memory before the thread yields: some 30 us, in which a peer that runs answers. */
  private static final int MEMORY_LOOKS = 2000;

  /**
   * The same if ranks exceed processors, so that the peer may not run before this thread yields.
   */
  private static final int CROWDED_MEMORY_LOOKS = 50;

  /** The same in looks at one peer's memory: with hundreds of peers each is looked at once. */
  private static final int CROWDED_LINK_LOOKS = 200;

  /** Looks at memory that found something, after each of which sockets are polled too. */
  private static final int BUSY_LOOKS_MASK = 63;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final StreamMesh mesh;
  private final Poller poller;
  private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();
  private final List<Stream> again = new ArrayList<>();
  private final MemoryLinks memory;
  private final int peers;
  private volatile int mapped; // connections through memory
  private volatile boolean crowded; // ranks of this host exceed processors
  private volatile boolean hasAgain;
  private Stream hot;
  private MeshCells cells; // null if there are none
  private int busyLooks;

  public SocketSource(StreamMesh mesh, Poller poller) {
    this.mesh = mesh;
    this.poller = poller;
    memory = new MemoryLinks(mesh, poller, this::later);
    peers = mesh.size() - 1;
  }

  /** Looks at cells too, if there are any; before requests are posted. */
  public void start(MeshCells all) {
    cells = all;
    crowded = mesh.localMemory().localRanks() > PROCESSORS;
  }

  private boolean advanceCells() {
    return cells != null && cells.advance();
  }

  /** Polls a connection; by the holder of the progress lock, or before there is one. */
  public void watch(Link link) throws IOException {
    poller.add(link.descriptor());
    if (link.holdsBytes()) {
      serveAgain((Stream) link.descriptor().owner);
    }
    memory.add(link);
    mapped = memory.count();
  }

  /** Polls a connection no more; by the holder of the progress lock. */
  public void forget(Link link) {
    poller.remove(link.descriptor());
    memory.remove(link);
    mapped = memory.count();
  }

  /** Has the holder of the progress lock do something in its next round. */
  void later(Runnable change) {
    changes.add(change);
    poller.wakeup();
  }

  /** Polls a connection from the next round on. */
  public void adopt(Link link, Stream stream) {
    later(() -> addToPoller(link, stream));
  }

  /** Removes a stream that has ended; the next round closes it. */
  public void retire(Stream ended) {
    byte[] staged = ended.takeStaged();
    List<Link> links = ended.detach();
    later(() -> mesh.release(ended, links, staged));
  }

  /** Has the device's thread look at the sockets if no other thread does. */
  public void lookSoon() {
    changes.add(() -> {});
  }

  public boolean hasChanges() {
    return !changes.isEmpty();
  }

  /** A receive, or a send that needs a grant, waits for this stream. */
  void expect(Stream expected) {
    if (!expected.canReadInPlace()) {
      hot = expected;
    }
  }

  /** A stream must be read soon, whether or not a receive waits for it. */
  void lookAt(Stream broken) {
    hot = broken;
    mesh.lookAgain();
  }

  @Override
  public int glances() {
    if (mapped > 0) {
      return mapped == peers ? MEMORY_GLANCES : MIXED_GLANCES;
    }
    // With one peer only its socket is read; an occasional poll sees the rest.
    return peers == 1 ? 8 : 2;
  }

  @Override
  public int looksBeforeYield() {
    int links = mapped;
    if (links == 0) {
      return crowded ? 0 : LOOKS_BEFORE_YIELD; // a look is a system call, as a yield is
    }
    return crowded ? Math.min(CROWDED_MEMORY_LOOKS, CROWDED_LINK_LOOKS / links) : MEMORY_LOOKS;
  }

  /** Looks at memory, and reads one pair's socket without asking first; polls if that is all. */
  @Override
  public boolean glance() {
    // An outdated answer whether there is a pair costs one poll.
    if (looksAtMemory()) {
      boolean found = memory.look();
      found |= advanceCells();
      if (found && (++busyLooks & BUSY_LOOKS_MASK) == 0) {
        poll(0); // peers that are never quiet must not keep the thread from the others
      }
      return found || (hot != null && tryRead());
    }
    return hot == null ? look() : tryRead();
  }

  @Override
  public boolean look() {
    Stream first = hot;
    boolean read = first != null && first.isBroken() && tryRead();
    if (looksAtMemory()) {
      read |= memory.look();
      read |= advanceCells();
    }
    return poll(0) || read;
  }

  @Override
  public void block(long nanos) {
    if (!looksAtMemory()) {
      poll(nanos);
      return;
    }
    try {
      poll(memory.park() && !advanceCells() ? nanos : 0);
    } finally {
      memory.unpark();
    }
    memory.look();
  }

  /** Cells are looked at when peers have left, too: what they have written is still there. */
  private boolean looksAtMemory() {
    return mapped > 0 || cells != null;
  }

  private boolean tryRead() {
    mesh.lock();
    try {
      Stream stream = hot;
      boolean wanted = stream != null && (stream.awaitsPeer() || stream.isBroken());
      if (!wanted || stream.link() == null || mesh.hasEnded()) {
        hot = null;
        return false;
      }
      long before = mesh.bytesIn();
      stream.lookAgain();
      stream.ready();
      return mesh.bytesIn() != before;
    } finally {
      mesh.unlockInProgress();
    }
  }

  private boolean poll(long timeoutNanos) {
    if (!changes.isEmpty()) {
      change();
    }
    poller.poll(hasAgain || poller.hasNext() ? 0 : timeoutNanos);
    if (!poller.hasNext() && !hasAgain) {
      return false;
    }
    mesh.lock();
    try {
      serveAgain();
      for (Pollable next = poller.next(); next != null; next = poller.next()) {
        next.absorb();
        ((Stream) next.owner).ready();
      }
    } finally {
      mesh.unlockInProgress();
    }
    return true;
  }

  /** Serves a stream in the next round whether or not its socket is ready; under the lock. */
  public void serveAgain(Stream stream) {
    if (!again.contains(stream)) {
      again.add(stream);
      hasAgain = true;
      poller.wakeup();
    }
  }

  private void serveAgain() {
    if (hasAgain) {
      List<Stream> streams = List.copyOf(again);
      again.clear();
      hasAgain = false;
      streams.forEach(Stream::serveAgain);
    }
  }

  /** Under the lock: a short write meanwhile must not ask the poller the link comes from. */
  private void change() {
    mesh.lock();
    try {
      applyChanges();
    } finally {
      mesh.unlockInProgress();
    }
  }

  /** The caller holds the progress lock and the mesh's. */
  public void applyChanges() {
    for (Runnable change = changes.poll(); change != null; change = changes.poll()) {
      change.run();
    }
  }

  private void addToPoller(Link link, Stream stream) {
    try {
      if (stream.links().contains(link)) { // else it has been closed since
        watch(link);
      }
    } catch (IOException e) {
      stream.pair().failed(e);
    }
  }

  @Override
  public void afterClose() {
    advanceCells();
  }

  @Override
  public void wakeup() {
    poller.wakeup();
  }

  @Override
  public boolean explains(InternalError error) {
    return memory.findTruncated(error);
  }

  @Override
  public void close() {
    poller.close();
  }
}
