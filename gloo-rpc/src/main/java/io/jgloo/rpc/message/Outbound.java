package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A message to one life of a peer, from its submission until the peer has acknowledged it.
 *
 * <p><i>Threads</i>: the one that runs the agent's events.
 */
class Outbound {

  final byte[] bytes;
  final int length;
  final Priority priority;

  /** Whether it uses up the peer's byte credit: requests and control messages, not replies. */
  final boolean counted;

  /** Its number in the session; 0 until it is sent for the first time. */
  long sequence;

  /** Whether it was given up before it was sent, and is to be passed over. */
  boolean withdrawn;

  Outbound(byte[] bytes, int length, Priority priority, boolean counted) {
    this.bytes = bytes;
    this.length = length;
    this.priority = priority;
    this.counted = counted;
  }

  /** Whether it counts as kept for the peer: requests, of which there may be any number. */
  boolean isLimited() {
    return false;
  }

  final boolean isSent() {
    return sequence != 0;
  }

  /** The peer has received it. */
  void acknowledged() {}

  /** The peer is lost: it has received the message only if that {@link #isSent was sent}. */
  void dropped(@Nullable JGlooException cause) {}

  /** A control message on its way. */
  static final class Control extends Outbound {

    private final AgentId to;
    private final CompletableFuture<Void> future = new CompletableFuture<>();

    Control(AgentId to, byte[] bytes) {
      super(bytes, bytes.length, Priority.HIGH, true);
      this.to = to;
    }

    CompletableFuture<Void> future() {
      return future;
    }

    @Override
    void acknowledged() {
      future.complete(null);
    }

    @Override
    void dropped(@Nullable JGlooException cause) {
      String reason = cause == null ? "it is not there" : cause.getMessage();
      future.completeExceptionally(
          isSent()
              ? new OutcomeUnknownException(
                  "agent " + to + " was lost before it acknowledged a message: " + reason, cause)
              : new NotExecutedException(
                  "a message to agent " + to + " was not sent: " + reason, cause));
    }
  }

  /**
   * A request or a reply on its way, with its blocks.
   *
   * <p><i>Threads</i>: made by any; then the one that runs the agent's events.
   */
  static final class Body extends Outbound {

    private final OutgoingBlocks supplies;
    private final AgentId to;
    private final List<Block> blocks;
    private final long firstBlock;

    /** Bytes of the body if that is a block, made here; else 0. */
    private final long bodyBytes;

    /** Bytes kept for the receiver; a reply is in them until it is taken. */
    private final AtomicLong kept;

    private boolean isKept;

    private Body(
        byte[] bytes,
        Priority priority,
        boolean counted,
        AgentId to,
        OutgoingBlocks supplies,
        List<Block> blocks,
        long firstBlock,
        long bodyBytes,
        AtomicLong kept) {
      super(bytes, bytes.length, priority, counted);
      this.to = to;
      this.supplies = supplies;
      this.blocks = blocks;
      this.firstBlock = firstBlock;
      this.bodyBytes = bodyBytes;
      this.kept = kept;
    }

    /**
     * Encodes a request.
     *
     * @param frameBytes longest frame; a longer body goes as a block
     * @param bodies counts the bytes of such bodies until the receiver has fetched them
     */
    @SuppressWarnings("EnumOrdinal") // both ends have one version
    static Body request(
        PendingCall call,
        OutgoingBlocks supplies,
        int frameBytes,
        AtomicLong bodies,
        long nanosLeft) {
      Body made =
          encode(
              Envelope.REQUEST,
              call.priority.ordinal(),
              call.service,
              Envelope.REQUEST_BYTES,
              call.to,
              call.priority,
              call.message,
              supplies,
              frameBytes,
              bodies);
      LittleEndian.putLong(made.bytes, 4, call.id);
      LittleEndian.putLong(made.bytes, 12, nanosLeft);
      return made;
    }

    /** Encodes a reply. */
    static Body reply(
        IncomingRequest request,
        int status,
        Message message,
        OutgoingBlocks supplies,
        int frameBytes) {
      Body made =
          encode(
              Envelope.REPLY,
              status,
              0,
              Envelope.REPLY_BYTES,
              request.from(),
              request.priority,
              message,
              supplies,
              frameBytes,
              request.peer.replies);
      LittleEndian.putLong(made.bytes, 4, request.call);
      return made;
    }

    private static Body encode(
        byte type,
        int code,
        int service,
        int head,
        AgentId to,
        Priority priority,
        Message message,
        OutgoingBlocks supplies,
        int frameBytes,
        AtomicLong bodies) {
      List<Block> blocks = message.blocks();
      int table = 4 + 16 * (blocks.size() + 1);
      int room = frameBytes - Session.HEADER_BYTES - Session.LENGTH_BYTES - head - table;
      boolean apart = message.length() > room;
      if (apart) {
        Block body = Block.allocate(message.length(), () -> bodies.addAndGet(-message.length()));
        bodies.addAndGet(message.length());
        Memory.copy(message.bytes(), message.offset(), body.address(), message.length());
        blocks = new ArrayList<>(blocks);
        blocks.add(body);
      }
      long first = blocks.isEmpty() ? 0 : supplies.reserve(blocks.size());
      byte[] bytes = Envelope.withBody(type, code, service, head, message, blocks, first, apart);
      boolean counted = type == Envelope.REQUEST;
      long bodyBytes = apart ? message.length() : 0;
      return new Body(bytes, priority, counted, to, supplies, blocks, first, bodyBytes, bodies);
    }

    /** Bytes of its body if that goes apart; they are counted as kept for the peer already. */
    long bodyBytes() {
      return bodyBytes;
    }

    @Override
    boolean isLimited() {
      return counted;
    }

    /** Counts a reply as kept for its receiver, from the thread that answers. */
    void keep() {
      isKept = true;
      kept.addAndGet(length);
    }

    /** Lets the receiver fetch the blocks. */
    void offer() {
      supplies.add(to, blocks, firstBlock);
    }

    private void taken() {
      if (isKept) {
        isKept = false;
        kept.addAndGet(-length);
      }
    }

    @Override
    void acknowledged() {
      taken();
    }

    /** Gives the blocks up, which will not be fetched. */
    void withdraw() {
      taken();
      withdrawn = true;
      supplies.withdraw(firstBlock, blocks.size());
    }

    @Override
    void dropped(@Nullable JGlooException cause) {
      withdraw();
    }
  }
}
