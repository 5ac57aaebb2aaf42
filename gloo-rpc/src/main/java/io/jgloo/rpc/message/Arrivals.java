package io.jgloo.rpc.message;

import io.jgloo.rpc.bytes.LittleEndian;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fetches the blocks of messages that have arrived, in parts, into memory of this agent.
 *
 * <p>The receiver asks for each part when it has memory for it, on a slot of its choice; so no
 * payload arrives that was not asked for, and what a lost connection took with it is asked for
 * again on the next. The price is one round trip for a message with blocks.
 *
 * <p><i>Threads</i>: the one that runs the agent's events. <i>Owns</i>: blocks that are not
 * complete.
 */
final class Arrivals {

  /** What becomes of a message whose blocks were to be fetched. */
  interface Taker {
    /**
     * @param message the whole message, the taker's from now on; null if there was no memory
     */
    void arrived(Message message);
  }

  private static final long PART_BYTES = 4 << 20;
  private static final int PARTS_UNDER_WAY = 4;

  private record Piece(int block, long offset, long length) {}

  private static final class Arrival {
    final Peer peer;
    final AgentId from;
    final Envelope.Content content;
    final Taker taker;
    final boolean limited;
    final List<Block> blocks = new ArrayList<>();
    final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    int underWay;
    boolean ended;

    Arrival(Peer peer, Envelope.Content content, boolean limited, Taker taker) {
      this.peer = peer;
      this.from = peer.id();
      this.content = content;
      this.limited = limited;
      this.taker = taker;
    }

    long bytes() {
      long sum = 0;
      for (long length : content.lengths()) {
        sum += length;
      }
      return sum;
    }
  }

  private final Port port;
  private final Links links;
  private final long budget;
  private final List<Arrival> fetching = new ArrayList<>();
  private final ArrayDeque<Arrival> waiting = new ArrayDeque<>();
  private final AtomicLong held = new AtomicLong();
  private long slots = 1;

  /**
   * @param budget bytes of blocks of limited messages to hold at most
   */
  Arrivals(Port port, Links links, long budget) {
    this.port = port;
    this.links = links;
    this.budget = budget;
  }

  /** Bytes of blocks that limited messages hold. */
  long held() {
    return held.get();
  }

  /** Number of messages that are not complete. */
  int size() {
    return fetching.size() + waiting.size();
  }

  /**
   * Fetches the blocks of a message of a peer that lives, and hands it on.
   *
   * @param limited whether it waits for other messages' memory; replies do not, since those may
   *     wait for them
   */
  void receive(Peer peer, Envelope.Content content, boolean limited, Taker taker) {
    if (content.ids().length == 0) {
      taker.arrived(Message.of(content.bytes(), content.offset(), content.length(), List.of()));
      return;
    }
    waiting.add(new Arrival(peer, content, limited, taker));
    admit();
  }

  /** Starts messages whose memory is there now. */
  void admit() {
    for (Arrival arrival : List.copyOf(waiting)) {
      long before = held.get();
      if (!arrival.limited || before == 0 || before + arrival.bytes() <= budget) {
        waiting.remove(arrival);
        start(arrival);
      }
    }
  }

  private void start(Arrival arrival) {
    try {
      for (long length : arrival.content.lengths()) {
        arrival.blocks.add(allocate(length, arrival.limited));
      }
    } catch (OutOfMemoryError e) { // off-heap memory that the peer asked for; the heap is fine
      arrival.blocks.forEach(Block::close);
      release(arrival);
      arrival.taker.arrived(null);
      return;
    }
    for (int i = 0; i < arrival.blocks.size(); i++) {
      long length = arrival.blocks.get(i).length();
      for (long offset = 0; offset < length; offset += PART_BYTES) {
        arrival.pieces.add(new Piece(i, offset, Math.min(PART_BYTES, length - offset)));
      }
    }
    fetching.add(arrival);
    advance(arrival);
  }

  private Block allocate(long bytes, boolean limited) {
    long counted = limited ? bytes : 0;
    Block block =
        Block.allocate(
            bytes,
            () -> {
              held.addAndGet(-counted);
              links.events().run(this::admit);
            });
    held.addAndGet(counted);
    return block;
  }

  private void advance(Arrival arrival) {
    if (arrival.ended) {
      if (arrival.underWay == 0) {
        arrival.blocks.forEach(Block::close);
      }
      return;
    }
    while (arrival.peer.isConnected
        && arrival.underWay < PARTS_UNDER_WAY
        && !arrival.pieces.isEmpty()) {
      fetch(arrival, arrival.pieces.poll());
    }
    if (arrival.underWay == 0 && arrival.pieces.isEmpty()) {
      fetching.remove(arrival);
      release(arrival);
      arrival.taker.arrived(message(arrival));
    }
  }

  private void fetch(Arrival arrival, Piece piece) {
    long slot = slots++;
    arrival.underWay++;
    port.receivePart(
        arrival.from.rank(),
        slot,
        arrival.blocks.get(piece.block),
        piece.offset,
        piece.length,
        moved -> {
          arrival.underWay--;
          if (!moved) {
            arrival.pieces.addFirst(piece);
            links.check(arrival.peer);
          }
          advance(arrival);
        });
    long id = arrival.content.ids()[piece.block];
    int connection = arrival.peer.session.connection();
    byte[] pull = Envelope.pull(id, piece.offset, piece.length, slot, connection);
    links.submit(arrival.peer, new Outbound(pull, pull.length, Priority.HIGH, false));
  }

  /** Tells the sender that its blocks are not needed any more. */
  private void release(Arrival arrival) {
    discard(arrival.peer, arrival.content);
  }

  /** Tells the sender of a message that its blocks will not be fetched. */
  void discard(Peer peer, Envelope.Content content) {
    for (long id : content.ids()) {
      byte[] release = Envelope.open(Envelope.RELEASE, 0, 0, Envelope.REPLY_BYTES);
      LittleEndian.putLong(release, 4, id);
      links.submit(peer, new Outbound(release, release.length, Priority.HIGH, false));
    }
  }

  private static Message message(Arrival arrival) {
    Envelope.Content content = arrival.content;
    if (!content.apart()) {
      return Message.of(content.bytes(), content.offset(), content.length(), arrival.blocks);
    }
    int last = arrival.blocks.size() - 1;
    try (Block body = arrival.blocks.get(last)) {
      byte[] bytes = body.toArray();
      return Message.of(bytes, 0, bytes.length, arrival.blocks.subList(0, last));
    }
  }

  /** A peer is connected again: asks for what did not come. */
  void connected(Peer peer) {
    for (Arrival arrival : List.copyOf(fetching)) {
      if (arrival.peer == peer) {
        advance(arrival);
      }
    }
  }

  /** A peer is lost: forgets its messages. */
  void end(Peer peer) {
    waiting.removeIf(arrival -> arrival.peer == peer);
    for (Arrival arrival : List.copyOf(fetching)) {
      if (arrival.peer == peer) {
        fetching.remove(arrival);
        arrival.ended = true;
        advance(arrival);
      }
    }
  }
}
