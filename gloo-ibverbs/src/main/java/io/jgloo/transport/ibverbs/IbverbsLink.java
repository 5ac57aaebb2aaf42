package io.jgloo.transport.ibverbs;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.AsyncEvent;
import io.jgloo.transport.ibverbs.verbs.Completion;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import io.jgloo.transport.ibverbs.verbs.PairRoute;
import io.jgloo.transport.ibverbs.verbs.PairTimers;
import io.jgloo.transport.ibverbs.verbs.PortState;
import io.jgloo.transport.ibverbs.verbs.QueuePair;
import io.jgloo.transport.ibverbs.verbs.QueuePairOptions;
import io.jgloo.transport.ibverbs.verbs.Verbs;
import io.jgloo.transport.ibverbs.verbs.VerbsException;
import io.jgloo.transport.ibverbs.verbs.WorkStatus;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The queue pair between this rank and one peer: its connection, its completions, its end.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the queue pair and its rings.
 */
final class IbverbsLink {

  private static final int HOP_LIMIT = 64;
  private static final int RNR_TIMER = 12;
  private static final int RNR_FOR_EVER = 7;
  private static final int READS_AT_A_TIME = 16;

  private final IbverbsMesh mesh;
  private final int peer;
  private final SendWorks works;
  private final ReceiveQueue receives;
  private final QueuePair queuePair;
  private final int firstPacket = ThreadLocalRandom.current().nextInt(1 << 24);
  private IbverbsRoute route;
  private Introduction remote;
  private String where = "";
  private boolean open = true;
  private long received;
  private long receivedWhenLeaving = -1;
  private JGlooException trouble;

  /** All that is known of the trouble is that requests were flushed. */
  private boolean flushed;

  /** On the mesh's list of pairs that have something to hand over. */
  boolean touched;

  /** In the line for a segment to send from. */
  boolean needsSegment;

  /**
   * @param queue for all its completions
   * @param place of its rings in the slab
   */
  IbverbsLink(IbverbsMesh mesh, int peer, long queue, Slab slab, int place) throws VerbsException {
    this.mesh = mesh;
    this.peer = peer;
    Settings settings = mesh.settings();
    Adapter adapter = mesh.adapter();
    Verbs verbs = adapter.verbs();
    queuePair =
        verbs.createPair(
            adapter.domain(),
            new QueuePairOptions(
                queue, queue, settings.depth(), settings.depth(), 1, 1, settings.inlineBytes()));
    works = new SendWorks(this, slab.sendSlots(place), slab.localKey());
    receives = new ReceiveQueue(this, slab.receiveSlots(place), slab.localKey());
    boolean ready = false;
    try {
      verbs.toInitialized(
          queuePair,
          adapter.portNumber(),
          MemoryRegion.LOCAL_WRITE | MemoryRegion.REMOTE_WRITE | MemoryRegion.REMOTE_READ);
      receives.open();
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  IbverbsMesh mesh() {
    return mesh;
  }

  IbverbsRoute route() {
    return route;
  }

  void route(IbverbsRoute route) {
    this.route = route;
  }

  SendWorks works() {
    return works;
  }

  ReceiveQueue receives() {
    return receives;
  }

  QueuePair queuePair() {
    return queuePair;
  }

  int maxInlineBytes() {
    return Math.min(queuePair.maxInlineBytes(), mesh.settings().inlineBytes());
  }

  /** Bytes of unexpected messages that the peer holds for this rank. */
  long peerWindow() {
    return remote.window();
  }

  int peerDepth() {
    return remote.depth();
  }

  /** Longest message sent eagerly. */
  long eagerBytes() {
    return Math.min(mesh.settings().eagerBytes(), remote.slotBytes() - Frame.BYTES);
  }

  /** The peer's address in parentheses, or nothing before the pair was connected. */
  String where() {
    return where;
  }

  private boolean hasDeparted() {
    return route.pair().hasDeparted();
  }

  /** Whether there still is a queue pair that may move bytes. */
  boolean isOpen() {
    return open;
  }

  int peer() {
    return peer;
  }

  // Being connected.

  Introduction introduction() {
    Adapter adapter = mesh.adapter();
    return new Introduction(
        queuePair.number(),
        firstPacket,
        adapter.gid(),
        adapter.port().lid(),
        adapter.mtu(),
        adapter.port().linkLayer(),
        mesh.settings().depth(),
        mesh.settings().slotBytes(),
        Math.min(READS_AT_A_TIME, adapter.limits().maxReadsAsTarget()),
        mesh.settings().windowBytes());
  }

  /**
   * Connects to the queue pair of a peer's introduction.
   *
   * @throws ProtocolException if it is of another kind of network
   * @throws UnavailableException if the device refuses
   */
  void connect(Introduction introduction, String text) {
    remote = introduction;
    where = " (" + text + ")";
    Adapter adapter = mesh.adapter();
    Settings settings = mesh.settings();
    if (remote.linkLayer() != adapter.port().linkLayer()) {
      throw new ProtocolException(
          "peer %d%s is on another kind of network: link layer %d, this rank has %d"
              .formatted(peer, where, remote.linkLayer(), adapter.port().linkLayer()));
    }
    int reads = Math.min(READS_AT_A_TIME, adapter.limits().maxReadsAsTarget());
    PairRoute route =
        new PairRoute(
            remote.number(),
            remote.firstPacket(),
            remote.gid(),
            remote.lid(),
            adapter.portNumber(),
            adapter.gidIndex(),
            adapter.port().linkLayer() == PortState.ETHERNET,
            HOP_LIMIT,
            settings.trafficClass(),
            settings.serviceLevel(),
            Math.min(remote.mtu(), adapter.mtu()),
            reads,
            RNR_TIMER);
    int ownReads = Math.min(remote.reads(), adapter.limits().maxReadsAsOrigin());
    PairTimers timers =
        new PairTimers(
            firstPacket,
            settings.timeout(),
            settings.retries(),
            RNR_FOR_EVER,
            Math.min(READS_AT_A_TIME, ownReads));
    try {
      adapter.verbs().toReadyToReceive(queuePair, route);
      adapter.verbs().toReadyToSend(queuePair, timers);
    } catch (VerbsException e) {
      throw new UnavailableException(
          "cannot connect the queue pair to rank " + peer + where + ": " + e.getMessage(), e);
    }
  }

  // What the device reports; nothing is thrown.

  /** A work request of this pair is complete, or has failed. */
  void handle(long completion, long id) {
    if (!open) {
      return; // an event from before the queue pair was destroyed
    }
    try {
      int status = Completion.status(completion);
      if (status != 0) {
        broke(completion, WorkId.kind(id) == WorkId.SEND, WorkStatus.of(status));
      } else if (WorkId.kind(id) == WorkId.SEND) {
        works.completed(WorkId.number(id));
      } else {
        arrived(completion, WorkId.number(id));
      }
      mesh.touch(this);
    } catch (Throwable e) {
      route.pair().failed(e);
    }
  }

  private void arrived(long completion, long place) {
    received++;
    if (Completion.opcode(completion) == Completion.RECEIVE_RDMA_WITH_IMMEDIATE) {
      route.grantedReceives().arrived(Completion.immediate(completion));
    } else {
      long at = receives.slot(place);
      int bytes = Completion.length(completion);
      int opcode = Frame.opcode(at, bytes);
      mesh.countArrived(bytes);
      route.frame(at, opcode);
    }
    if (open) {
      receives.post(place);
      checkLeft();
    }
  }

  private void broke(long completion, boolean send, WorkStatus status) {
    if (trouble != null && status == WorkStatus.FLUSHED) {
      return;
    }
    Verbs verbs = mesh.adapter().verbs();
    JGlooException cause =
        Diagnosis.ofStatus(
            peer,
            "peer " + peer + where,
            send,
            status,
            Completion.vendorError(completion),
            verbs.statusText(status.code()));
    if (!Diagnosis.isRemote(status)) {
      trouble = cause;
      throw cause;
    }
    suspect(cause);
    flushed = status == WorkStatus.FLUSHED;
  }

  /**
   * The connection is broken; a report of the cause may still arrive. Flushed requests are no
   * cause, so any other cause replaces them.
   */
  void suspect(JGlooException cause) {
    if (hasDeparted()) {
      return;
    }
    if (trouble == null) {
      mesh.suspect(this);
    }
    if (trouble == null || flushed) {
      trouble = cause;
      flushed = false;
    }
  }

  /** Whether this side knows nothing but that its requests were flushed. */
  boolean wasOnlyFlushed() {
    return flushed;
  }

  /** What an event of the device means to this pair, or null if it is information only. */
  JGlooException diagnose(AsyncEvent event, String text) {
    return Diagnosis.ofEvent(event, peer, "peer " + peer + where, text);
  }

  /** The moment has passed. */
  void condemn() {
    if (receivedWhenLeaving >= 0) {
      leave();
    } else if (trouble != null && !hasDeparted()) {
      mesh.fail(trouble, null);
    }
  }

  /** Hands over what has been prepared. */
  void settle() {
    if (!open || remote == null) {
      return;
    }
    try {
      receives.ring();
      if (mesh.isClosed()) {
        works.ring(); // what was given to the device is to be finished, no more
      } else {
        route.handOver();
      }
    } catch (Throwable e) {
      route.pair().failed(e);
    }
  }

  // The end.

  /**
   * The peer leaves.
   *
   * @param sent how many receives of this rank it has used; when as many have arrived, it has left
   */
  void leaving(long sent) {
    receivedWhenLeaving = sent;
    try {
      checkLeft();
    } catch (Throwable e) {
      route.pair().failed(e);
    }
  }

  private void checkLeft() {
    if (receivedWhenLeaving >= 0 && received - receivedWhenLeaving >= 0) {
      leave();
    }
  }

  private void leave() {
    if (!hasDeparted()) {
      disarm();
      route.pair().departed();
    }
  }

  /** Whether the device has finished what it was given, or cannot. */
  boolean isQuiet() {
    if (!open || remote == null || trouble != null) {
      return true;
    }
    works.tellOfTheLast();
    mesh.touch(this);
    return works.isIdle();
  }

  /** Ends the queue pair: when this returns, nothing touches memory for it any more. */
  void disarm() {
    if (open) {
      open = false;
      mesh.adapter().verbs().destroyPair(queuePair);
    }
  }

  void close() {
    disarm();
    works.close();
    receives.close();
  }

  /**
   * What this rank reports when it leaves: how many of the peer's receives it has used; none if
   * some may not have arrived, so that the peer does not wait for them.
   */
  long consumed() {
    return works.isIdle() ? route.consumed() : 0;
  }

  @Override
  public String toString() {
    return "pair " + mesh.rank() + " to " + peer + where;
  }
}
