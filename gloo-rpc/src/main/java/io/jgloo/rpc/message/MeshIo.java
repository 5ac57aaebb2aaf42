package io.jgloo.rpc.message;

import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves frames, and parts of blocks, over a mesh.
 *
 * <p>Frames use slot 0 and are received from any peer; each part of a block has a slot of its own.
 *
 * <p><i>Threads</i>: the one that runs the agent's events, but for {@link #await} and {@link
 * #progress}, which any may call: they move bytes and run events. <i>Owns</i>: the memory of the
 * frames.
 */
final class MeshIo implements AutoCloseable {

  static final long FRAMES = Slot.of(Slot.USER, 0);
  private static final int RECEIVES = 16;

  private final Mesh mesh;
  private final int frameBytes;
  private final Events events;
  private final PeerSessions receiver;
  private final CompletionQueue queue;
  private final BitSet others;
  private final List<Frame> frames = new ArrayList<>();
  private final ArrayDeque<Sending> spare = new ArrayDeque<>();
  private final ArrayDeque<Receiving> idle = new ArrayDeque<>();
  private volatile @Nullable Thread mover;
  private boolean closed;

  MeshIo(Mesh mesh, int frameBytes, Events events, PeerSessions receiver) {
    this.mesh = mesh;
    this.frameBytes = frameBytes;
    this.events = events;
    this.receiver = receiver;
    queue = mesh.newQueue();
    others = new BitSet();
    others.set(0, mesh.membership().size());
    others.clear(mesh.membership().rank());
  }

  /** Memory of one frame and the request that moves it; its event is that the request has ended. */
  private abstract class Frame implements Events.Event {
    final long address = Memory.allocate(frameBytes, Memory.CACHE_LINE);
    final Buffer buffer = mesh.newBuffer().wrap(address, frameBytes, null);
    final Request request = queue.newRequest().attach(this);

    Frame() {
      frames.add(this);
    }
  }

  private final class Sending extends Frame {
    private int rank;

    @Override
    public void happen() {
      spare.push(this);
      if (!closed) {
        receiver.sent(rank);
      }
    }
  }

  private final class Receiving extends Frame {
    void post() {
      if (!closed) {
        mesh.recvAny(request.message(FRAMES, buffer, 0, frameBytes).allowShorter(), others);
      }
    }

    @Override
    public void happen() {
      if (closed || request.state() != Request.State.DONE) {
        idle.add(this); // no peer is connected any more
        return;
      }
      byte[] bytes = new byte[(int) request.transferred()];
      int rank = request.peer();
      Memory.copy(address, bytes, 0, bytes.length);
      post();
      receiver.received(rank, bytes, bytes.length);
    }
  }

  /** Begins to receive. */
  void open() {
    if (!others.isEmpty()) {
      for (int i = 0; i < RECEIVES; i++) {
        idle.add(new Receiving());
      }
      receiveAgain();
    }
  }

  /** A peer was connected: what no peer could be received from can be received again. */
  void receiveAgain() {
    for (int i = idle.size(); i > 0; i--) {
      idle.poll().post();
    }
  }

  /** Sends a frame, which is copied. */
  void send(int rank, byte[] frame, int length) {
    Sending sending = spare.isEmpty() ? new Sending() : spare.pop();
    sending.rank = rank;
    Memory.copy(frame, 0, sending.address, length);
    mesh.pair(rank).send(sending.request.message(FRAMES, sending.buffer, 0, length));
  }

  /** Receives a part of a block; the event happens when the request has ended. */
  Request receivePart(int rank, long slot, Block block, long offset, long length, Part part) {
    Request request = describe(slot, block, offset, length, part);
    mesh.pair(rank).recv(request);
    return request;
  }

  /** Sends a part of a block; the event happens when the request has ended. */
  Request sendPart(int rank, long slot, Block block, long offset, long length, Part part) {
    Request request = describe(slot, block, offset, length, part);
    mesh.pair(rank).send(request);
    return request;
  }

  /** What becomes of a part of a block that has been moved, or could not be. */
  interface Part {
    void ended(boolean moved);
  }

  private Request describe(long slot, Block block, long offset, long length, Part part) {
    Buffer window = mesh.newBuffer().wrap(block.address(), block.length(), block.keepAlive());
    Request request = queue.newRequest();
    Events.Event ended =
        () -> {
          window.close();
          part.ended(request.state() == Request.State.DONE);
        };
    return request.message(Slot.of(Slot.USER, slot), window, offset, length).attach(ended);
  }

  /** Why the connection of a peer has ended, or null. */
  @Nullable JGlooException failure(int rank) {
    return mesh.pair(rank).failure().orElse(null);
  }

  /** Adds the mesh's counters of bytes, all and those through shared memory. */
  void addBytes(Map<String, Long> counts) {
    Diagnosis.of(mesh).counters().entrySet().stream()
        .filter(each -> each.getKey().startsWith("bytes"))
        .forEach(each -> counts.put(each.getKey(), each.getValue()));
  }

  // Progress.

  /** Takes what has completed, and runs what follows. */
  private void completed(Request first) {
    for (Request request = first; request != null; request = queue.poll()) {
      events.add(event(request));
    }
    mover = Thread.currentThread();
    events.run();
    mover = null;
  }

  private static Events.Event event(Request request) {
    return (Events.Event) Objects.requireNonNull(request.attachment());
  }

  /** Moves bytes until a condition is met; returns whether it is. */
  boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
    return queue.await(condition, this::completed, deadlineNanos);
  }

  /** Moves bytes until a condition is met or another thread wants to. */
  void progress(CompletionQueue.Condition condition, long deadlineNanos) {
    queue.awaitInBackground(condition, this::completed, deadlineNanos);
  }

  /** Lets threads that move bytes, or wait, look at their conditions. */
  void wakeup() {
    if (mover != Thread.currentThread()) {
      queue.wakeup();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      mesh.close();
      for (Request request = queue.poll(); request != null; request = queue.poll()) {
        event(request).happen();
      }
      for (Frame frame : frames) {
        frame.buffer.close();
        Memory.free(frame.address);
      }
    }
  }
}
