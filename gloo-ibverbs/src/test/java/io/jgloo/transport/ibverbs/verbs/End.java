package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ibverbs.RdmaPort;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/** One end of a connection, with all the objects it takes and memory to talk about. */
final class End implements AutoCloseable {

  static final int ROOM = 1 << 20;
  static final int REQUESTS = 64;
  private static final int ENTRIES = 4 * REQUESTS;
  private static final int FLAGS =
      MemoryRegion.LOCAL_WRITE | MemoryRegion.REMOTE_WRITE | MemoryRegion.REMOTE_READ;
  private static final int MTU_1024 = 3;

  /** A completion, copied out of native memory. */
  record Done(long id, WorkStatus status, int opcode, int length, int immediate) {}

  final Verbs verbs;
  final long context;
  final long channel;
  final long queue;
  final QueuePair pair;
  final MemoryRegion region;
  final long memory;

  /** Where work requests are written; the last 8 bytes name the one refused. */
  private final long work;

  private final long completions;
  private final long domain;
  private final int gidIndex;

  End(Verbs verbs, String device, int gidIndex) throws VerbsException {
    this.verbs = verbs;
    this.gidIndex = gidIndex;
    context = verbs.open(device);
    domain = verbs.allocateDomain(context);
    memory = Memory.allocate(ROOM, Memory.CACHE_LINE);
    Memory.setZero(memory, ROOM);
    region = verbs.register(domain, memory, ROOM, FLAGS);
    channel = verbs.createChannel(context);
    queue = verbs.createQueue(context, ENTRIES, channel);
    pair =
        verbs.createPair(domain, new QueuePairOptions(queue, queue, REQUESTS, REQUESTS, 1, 1, 128));
    verbs.toInitialized(pair, RdmaPort.NUMBER, FLAGS);
    work = Memory.allocate((long) (REQUESTS + 1) * SendWork.BYTES, Memory.CACHE_LINE);
    completions = Memory.allocate((long) ENTRIES * Completion.BYTES, Memory.CACHE_LINE);
  }

  /** Connects both; the retries are few, so that a lost peer is reported within the test. */
  static void connect(End one, End other) throws VerbsException {
    one.reach(other);
    other.reach(one);
  }

  private void reach(End peer) throws VerbsException {
    PortState port = verbs.queryPort(context, RdmaPort.NUMBER);
    Gid gid = peer.verbs.queryGid(peer.context, RdmaPort.NUMBER, peer.gidIndex);
    boolean global = port.linkLayer() == PortState.ETHERNET;
    verbs.toReadyToReceive(
        pair,
        new PairRoute(
            peer.pair.number(),
            peer.firstPacket(),
            gid,
            port.lid(),
            RdmaPort.NUMBER,
            gidIndex,
            global,
            1,
            0,
            0,
            MTU_1024,
            4,
            12));
    verbs.toReadyToSend(pair, new PairTimers(firstPacket(), 12, 3, 7, 4));
  }

  private int firstPacket() {
    return pair.number() * 31 & 0xffffff;
  }

  void receive(long id, int offset, int length) {
    ReceiveWork.write(work, id, memory + offset, length, region.localKey());
    assertEquals(0, verbs.postReceive(pair, work, refused()), "errno of postReceive");
  }

  /** Posts a request that tells of its completion. */
  void send(long id, int opcode, int immediate, int offset, int length) {
    assertEquals(
        0, tryToSend(id, opcode, SendWork.SIGNALED, immediate, offset, length), "postSend's errno");
  }

  int tryToSend(long id, int opcode, int flags, int immediate, int offset, int length) {
    SendWork.write(work, id, opcode, flags, immediate, memory + offset, length, region.localKey());
    return verbs.postSend(pair, work, refused());
  }

  /** Posts an RDMA request for the peer's memory. */
  void remote(
      long id, int opcode, int immediate, int offset, int length, End peer, int at, int key) {
    SendWork.write(
        work, id, opcode, SendWork.SIGNALED, immediate, memory + offset, length, region.localKey());
    SendWork.remote(work, peer.memory + at, key);
    assertEquals(0, verbs.postSend(pair, work, refused()), "errno of postSend");
  }

  /** Posts sends of 8 bytes each with one call; only the last tells of its completion. */
  int chain(int count) {
    for (int i = 0; i < count; i++) {
      long at = work + (long) i * SendWork.BYTES;
      SendWork.write(
          at,
          i,
          SendWork.SEND_WITH_IMMEDIATE,
          i == count - 1 ? SendWork.SIGNALED : 0,
          i,
          memory + i * 8L,
          8,
          region.localKey());
      if (i > 0) {
        SendWork.next(at - SendWork.BYTES, at);
      }
    }
    return verbs.postSend(pair, work, refused());
  }

  /** Which request of the last chain was the first not to be posted. */
  long refusedIndex() {
    return (Memory.getLong(refused()) - work) / SendWork.BYTES;
  }

  private long refused() {
    return work + (long) REQUESTS * SendWork.BYTES;
  }

  /** Polls until so many completions are there; the test's deadline bounds it. */
  List<Done> await(int count) throws InterruptedException {
    List<Done> done = new ArrayList<>();
    while (done.size() < count) {
      if (Thread.interrupted()) {
        throw new InterruptedException("with " + done + " of " + count);
      }
      done.addAll(poll());
      Thread.onSpinWait();
    }
    assertEquals(count, done.size(), done::toString);
    return done;
  }

  List<Done> poll() {
    int count = verbs.poll(queue, ENTRIES, completions);
    assertTrue(count >= 0, () -> "poll: " + count);
    List<Done> done = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long at = completions + (long) i * Completion.BYTES;
      done.add(
          new Done(
              Completion.id(at),
              WorkStatus.of(Completion.status(at)),
              Completion.opcode(at),
              Completion.length(at),
              Completion.immediate(at)));
    }
    return done;
  }

  Done awaitOne() throws InterruptedException {
    return await(1).get(0);
  }

  @Override
  public void close() {
    verbs.destroyPair(pair);
    verbs.destroyQueue(queue);
    verbs.destroyChannel(channel);
    verbs.deregister(region);
    verbs.deallocateDomain(domain);
    verbs.close(context);
    Memory.free(memory);
    Memory.free(work);
    Memory.free(completions);
  }
}
