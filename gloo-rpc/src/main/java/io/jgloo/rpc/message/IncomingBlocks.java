package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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
final class IncomingBlocks {

  /** What becomes of a message whose blocks were to be fetched. */
  interface Taker {
    /**
     * @param message the whole message, the taker's from now on; null if there was no memory
     */
    void arrived(@Nullable Message message);

    /** The taker's own memory for a block; null if it has none. */
    default @Nullable Block memory(int index, long length) {
      return null;
    }
  }

  private static final long PART_BYTES = 4 << 20;
  private static final int PARTS_UNDER_WAY = 4;

  private record Piece(int block, long offset, long length) {}

  /** A message whose blocks are fetched. */
  static final class Arrival {
    final Peer peer;
    final AgentId from;
    final Envelope.Content content;
    final Taker taker;
    final boolean limited;
    final List<Block> blocks = new ArrayList<>();
    final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    final List<Part> underWay = new ArrayList<>();

    /** Whether memory of the taker is written to. */
    boolean isLent;

    boolean ended;

    /** Follows when it has ended and nothing is under way any more. */
    Runnable afterwards = () -> {};

    private Arrival(Peer peer, Envelope.Content content, boolean limited, Taker taker) {
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

  /** A part of a block that was asked for. */
  private final class Part implements MeshIo.Part {
    final Arrival arrival;
    final Piece piece;
    final long slot = slots++;

    @SuppressWarnings("NullAway.Init") // set by receive
    private Request request;

    Part(Arrival arrival, Piece piece) {
      this.arrival = arrival;
      this.piece = piece;
    }

    void receive() {
      Block block = arrival.blocks.get(piece.block);
      request =
          port.receivePart(arrival.from.rank(), slot, block, piece.offset, piece.length, this);
    }

    @Override
    public void ended(boolean moved) {
      arrival.underWay.remove(this);
      if (!moved && !arrival.ended) {
        arrival.pieces.addFirst(piece);
        links.check(arrival.peer);
      }
      advance(arrival);
    }

    /** Lets the part go elsewhere, unless it is arriving already. */
    void divert() {
      int rank = arrival.from.rank();
      if (request.cancel()) {
        Block elsewhere = Block.allocate(piece.length);
        Request unused =
            port.receivePart(rank, slot, elsewhere, 0, piece.length, moved -> elsewhere.close());
      }
    }
  }

  private final MeshIo port;
  private final PeerSessions links;
  private final long budget;
  private final List<Arrival> fetching = new ArrayList<>();
  private final ArrayDeque<Arrival> waiting = new ArrayDeque<>();
  private final AtomicLong held = new AtomicLong();
  private long slots = 1;

  /**
   * @param budget bytes of blocks of limited messages to hold at most
   */
  IncomingBlocks(MeshIo port, PeerSessions links, long budget) {
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
   * @return null if it has no blocks
   */
  @Nullable Arrival receive(Peer peer, Envelope.Content content, boolean limited, Taker taker) {
    if (content.ids().length == 0) {
      taker.arrived(content.head());
      return null;
    }
    Arrival arrival = new Arrival(peer, content, limited, taker);
    waiting.add(arrival);
    admit();
    return arrival;
  }

  /** Gives up a message, and runs an action when none of its taker's memory is written to. */
  void abandon(Arrival arrival, Runnable afterwards) {
    arrival.afterwards = afterwards;
    if (!arrival.ended) {
      fetching.remove(arrival);
      release(arrival);
    }
    arrival.ended = true;
    List.copyOf(arrival.underWay).forEach(Part::divert);
    advance(arrival);
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
      long[] lengths = arrival.content.lengths();
      for (int i = 0; i < lengths.length; i++) {
        Block given = arrival.taker.memory(i, lengths[i]);
        arrival.isLent |= given != null;
        arrival.blocks.add(given == null ? allocate(lengths[i], arrival.limited) : given);
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
      if (arrival.underWay.isEmpty()) {
        arrival.blocks.forEach(Block::close);
        Runnable afterwards = arrival.afterwards;
        arrival.afterwards = () -> {};
        afterwards.run();
      }
      return;
    }
    while (arrival.peer.isConnected
        && arrival.underWay.size() < PARTS_UNDER_WAY
        && !arrival.pieces.isEmpty()) {
      fetch(new Part(arrival, arrival.pieces.poll()));
    }
    if (arrival.underWay.isEmpty() && arrival.pieces.isEmpty()) {
      fetching.remove(arrival);
      arrival.ended = true;
      release(arrival);
      arrival.taker.arrived(message(arrival));
    }
  }

  private void fetch(Part part) {
    Arrival arrival = part.arrival;
    Piece piece = part.piece;
    arrival.underWay.add(part);
    part.receive();
    long id = arrival.content.ids()[piece.block];
    int connection = arrival.peer.session.connection();
    byte[] pull = Envelope.pull(id, piece.offset, piece.length, part.slot, connection);
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
      return content.head(arrival.blocks);
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
