package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Slot;
import io.jgloo.transport.capability.Diagnosis.Blockers;
import io.jgloo.transport.tcp.wire.AbortNotice;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/**
 * Finds the ranks that hold up a call: asks each awaited rank which ranks it waits for, and follows
 * the answers to the ranks that do not answer or that wait for no rank.
 *
 * <p>The device's thread of a live process answers, whatever its other threads do. Questions go by
 * connections of their own, as the streams may be stuck.
 *
 * <p><i>Threads</i>: the device's thread.
 */
public final class BlockerSearch {

  private static final Logger LOG = System.getLogger(BlockerSearch.class.getName());

  /** Questions at a time: each costs a descriptor. */
  private static final int MAX_OPEN = 64;

  private static final long PAUSE_NANOS = 20_000_000L;

  private final ConnectDevice device;
  private final ConnectMesh mesh;
  private final long slot;
  private final long patienceNanos;
  private final CompletableFuture<Blockers> result = new CompletableFuture<>();
  private final BitSet known = new BitSet();
  private final Queue<Integer> waiting = new ArrayDeque<>();
  private final TreeSet<Integer> silent = new TreeSet<>();
  private final TreeSet<Integer> late = new TreeSet<>();
  private int open;

  /**
   * @param slot of the call
   * @param patienceNanos how long a rank has to answer
   */
  public BlockerSearch(ConnectDevice device, ConnectMesh mesh, long slot, long patienceNanos) {
    this.device = device;
    this.mesh = mesh;
    this.slot = slot;
    this.patienceNanos = patienceNanos;
    known.set(mesh.rank());
  }

  /** Begins to search; completes the result in the device's thread. */
  public CompletableFuture<Blockers> start() {
    device.later(0, this::search);
    return result;
  }

  private void search() {
    if (!mesh.tryLock()) {
      device.retry(this::search);
      return;
    }
    List<Integer> own;
    try {
      own = awaited(mesh, slot);
    } finally {
      mesh.unlock();
    }
    follow(own == null ? List.of() : own);
  }

  /** A rank waits for these. */
  private void follow(List<Integer> peers) {
    for (int peer : peers) {
      if (!known.get(peer)) {
        known.set(peer);
        waiting.add(peer);
      }
    }
    while (open < MAX_OPEN && !waiting.isEmpty() && !mesh.hasEnded()) {
      open++;
      ask(waiting.remove(), mesh.clock().nanoTime() + patienceNanos);
    }
    if (open == 0) {
      result.complete(new Blockers(List.copyOf(silent), List.copyOf(late)));
    }
  }

  private void ask(int peer, long deadlineNanos) {
    if (!mesh.tryLock()) {
      device.retry(() -> ask(peer, deadlineNanos));
      return;
    }
    Endpoint endpoint;
    try {
      endpoint = mesh.connectionTable().endpoint(peer);
    } finally {
      mesh.unlock();
    }
    if (endpoint == null) { // it has not been there yet
      silent.add(peer);
      left();
      return;
    }
    byte[] hello =
        Hello.question(mesh.membership(), mesh.incarnation(), endpoint.incarnation(), slot)
            .encode();
    device.call(endpoint.listener(), hello, deadlineNanos, new Question(peer, deadlineNanos));
  }

  /** What one rank is asked. */
  private final class Question implements SideCall.Reply {
    private final int peer;
    private final long deadlineNanos;

    Question(int peer, long deadlineNanos) {
      this.peer = peer;
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public int bytesBehind(Welcome welcome) {
      long longest =
          switch (welcome.status()) {
            case ACCEPTED -> (long) Integer.BYTES * mesh.size();
            case FAILED -> AbortNotice.MAX_BYTES;
            default -> 0;
          };
      if (longest > 0 && (welcome.window() < 0 || welcome.window() > longest)) {
        throw new ProtocolException(
            "an answer of " + welcome.window() + " bytes; at most " + longest + " are allowed");
      }
      return longest == 0 ? 0 : (int) welcome.window();
    }

    @Override
    public void answered(Welcome welcome, byte[] behind) {
      switch (welcome.status()) {
        case ACCEPTED -> waitsFor(peer, decodeRanks(behind, mesh.size()));
        case FAILED -> {
          mesh.noticed(behind, peer);
          left();
        }
        default -> left(); // it has left the group, and its connected peers have its goodbye
      }
    }

    @Override
    public void failed(IOException cause) {
      LOG.log(Level.DEBUG, "rank {0} did not answer: {1}", peer, cause.getMessage());
      missed(peer, deadlineNanos);
    }
  }

  /** A rank has answered which ranks it waits for. */
  private void waitsFor(int peer, List<Integer> peers) {
    if (peers.isEmpty()) {
      late.add(peer);
    }
    open--;
    follow(peers);
  }

  /** A rank has failed or left; the cause arrives by its own notice. */
  private void left() {
    open--;
    follow(List.of());
  }

  /**
   * An attempt to ask has failed. It is repeated even if no process listens there: a rank that has
   * failed, notified its peers and exited must not be named before they have read its notice.
   */
  private void missed(int peer, long deadlineNanos) {
    if (!mesh.hasEnded() && mesh.clock().nanoTime() - deadlineNanos < 0) {
      device.later(PAUSE_NANOS, () -> ask(peer, deadlineNanos));
      return;
    }
    if (!mesh.hasEnded()) {
      silent.add(peer);
    }
    left();
  }

  // The ranks that a rank waits for, and its answer when another rank asks for them.

  /**
   * The ranks to or from which messages are not done, on slots of one space up to this one; null if
   * the mesh has ended. The mesh's lock is held.
   */
  static List<Integer> awaited(ConnectMesh mesh, long slot) {
    LongPredicate slots =
        each -> Slot.space(each) == Slot.space(slot) && Slot.number(each) <= Slot.number(slot);
    List<Integer> peers = new ArrayList<>();
    long cells = mesh.awaitedCells(slots);
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank() && (mesh.streamAt(peer).awaits(slots) || (cells >>> peer & 1) != 0)) {
        peers.add(peer);
      }
    }
    return mesh.hasEnded() ? null : peers;
  }

  /**
   * The answer of a rank that is asked: a {@link Welcome}, and behind it the ranks, big-endian, or
   * the notice of a mesh that has failed, or nothing with a refusal. The welcome holds the length.
   *
   * <pre>
   *   n x i32   ranks to or from which messages are not done
   * </pre>
   */
  static byte[] answer(ConnectDevice device, ConnectMesh mesh, Hello question) {
    Welcome welcome =
        mesh == null
            ? new Welcome(Welcome.Status.UNKNOWN, 0, 0, 0)
            : mesh.connectionTable().answerTo(question);
    boolean accepted = welcome.status() == Welcome.Status.ACCEPTED;
    List<Integer> peers = accepted ? awaited(mesh, question.slot()) : null;
    if (peers != null) {
      ByteBuffer body = ByteBuffer.allocate(Integer.BYTES * peers.size());
      peers.forEach(body::putInt);
      return new Welcome(Welcome.Status.ACCEPTED, mesh.size(), body.capacity(), welcome.epoch())
          .encodeWith(body.array());
    }
    // Looked up last: the notice is stored before the mesh is marked as failed.
    byte[] notice = device.failureNotices().find(question.target());
    if (notice != null) {
      return new Welcome(Welcome.Status.FAILED, 0, notice.length, 0).encodeWith(notice);
    }
    return (accepted ? new Welcome(Welcome.Status.UNKNOWN, 0, 0, 0) : welcome).encode();
  }

  /**
   * @throws ProtocolException if the bytes are not ranks of a group of that size
   */
  public static List<Integer> decodeRanks(byte[] body, int size) {
    ByteBuffer in = ByteBuffer.wrap(body);
    List<Integer> peers = new ArrayList<>();
    while (in.remaining() >= Integer.BYTES) {
      int peer = in.getInt();
      if (peer < 0 || peer >= size) {
        throw new ProtocolException("an answer that names rank " + peer + " of " + size);
      }
      peers.add(peer);
    }
    return peers;
  }
}
