package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.Membership;
import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Handshake message 1: the first bytes of every connection, from the side that dialled. Big-endian,
 * 112 bytes:
 *
 * <pre>
 *    0  24 bytes magic, version and release; see {@link WireVersion}
 *   24  i32      purpose            1 join, 2 probe, 3 notice, 4 summon, 5 ask
 *   28  i32      length             of the abort notice, or of a join's offer of shared memory, that
 *                                   follows; else 0
 *   32  16 bytes incarnation of the target mesh
 *   48  16 bytes incarnation of the mesh that dials
 *   64  i32      rank that dials
 *   68  i32      its group's size
 *   72  i32      target rank
 *   76  i32      which of the pair's connections this is, from 0
 *   80  i64      its group's epoch
 *   88  i64      hash of its group's name
 *   96  i64      window: bytes of unexpected messages it holds for the peer; of ASK, the slot
 *                up to which messages count
 *  104  i64      attributes of a pair on which its ranks must agree; see {@link PairOptions}
 * </pre>
 */
public record Hello(
    Purpose purpose,
    int bodyLength,
    UUID target,
    UUID source,
    int rank,
    int size,
    int targetRank,
    long epoch,
    long group,
    long window,
    int stripe,
    long options) {

  public static final int BYTES = 112;

  /** Longest offer of shared memory behind a hello. */
  public static final int MAX_OFFER_BYTES = 512;

  public static final long MAGIC = WireVersion.MAGIC;

  /** What a connection is for. */
  public enum Purpose {
    JOIN(1),
    PROBE(2),
    NOTICE(3),
    SUMMON(4),
    ASK(5);

    private final int code;

    Purpose(int code) {
      this.code = code;
    }

    private static Purpose of(int code) {
      for (Purpose purpose : values()) {
        if (purpose.code == code) {
          return purpose;
        }
      }
      throw new ProtocolException("a hello has the unknown purpose " + code);
    }
  }

  /**
   * Hello of a rank that connects a pair, or asks the target rank to connect it.
   *
   * @param purpose join or summon
   */
  public static Hello pairing(
      Purpose purpose, Membership own, UUID source, int peer, UUID target, long window) {
    return new Hello(
        purpose,
        0,
        target,
        source,
        own.rank(),
        own.size(),
        peer,
        own.epoch(),
        hash(own.group()),
        window,
        0,
        0);
  }

  /** The same for one of the connections of a pair with these options. */
  public Hello onStripe(int number, PairOptions pair) {
    return new Hello(
        purpose,
        bodyLength,
        target,
        source,
        rank,
        size,
        targetRank,
        epoch,
        group,
        window,
        number,
        pair.encode());
  }

  /** The same with an offer of shared memory behind it. */
  public Hello offering(int length) {
    return new Hello(
        purpose,
        length,
        target,
        source,
        rank,
        size,
        targetRank,
        epoch,
        group,
        window,
        stripe,
        options);
  }

  /** Hello that asks whether a mesh still exists. */
  public static Hello probe(UUID target) {
    return new Hello(Purpose.PROBE, 0, target, new UUID(0, 0), 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Hello that brings an abort notice beside a stream that is blocked. */
  public static Hello notice(Membership own, UUID source, UUID target, int length) {
    return new Hello(
        Purpose.NOTICE,
        length,
        target,
        source,
        own.rank(),
        own.size(),
        0,
        own.epoch(),
        hash(own.group()),
        0,
        0,
        0);
  }

  /**
   * Hello that asks a peer for the ranks it waits for.
   *
   * @param slot waits for messages up to this one count
   */
  public static Hello question(Membership own, UUID source, UUID target, long slot) {
    return new Hello(
        Purpose.ASK,
        0,
        target,
        source,
        own.rank(),
        own.size(),
        0,
        own.epoch(),
        hash(own.group()),
        slot,
        0,
        0);
  }

  /** What a question is about. */
  public long slot() {
    return window;
  }

  /** 64-bit FNV-1a of a group's name. */
  public static long hash(String group) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < group.length(); i++) {
      hash = (hash ^ group.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  private static int mostBehind(Purpose purpose) {
    return switch (purpose) {
      case NOTICE -> AbortNotice.MAX_BYTES;
      case JOIN -> MAX_OFFER_BYTES;
      default -> 0;
    };
  }

  public byte[] encode() {
    return WireVersion.putInto(ByteBuffer.allocate(BYTES))
        .putInt(purpose.code)
        .putInt(bodyLength)
        .putLong(target.getMostSignificantBits())
        .putLong(target.getLeastSignificantBits())
        .putLong(source.getMostSignificantBits())
        .putLong(source.getLeastSignificantBits())
        .putInt(rank)
        .putInt(size)
        .putInt(targetRank)
        .putInt(stripe)
        .putLong(epoch)
        .putLong(group)
        .putLong(window)
        .putLong(options)
        .array();
  }

  /**
   * @throws ProtocolException if the bytes are not a hello of this version
   */
  public static Hello decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getLong() != MAGIC) {
      throw new ProtocolException("the first bytes are not a hello");
    }
    in.position(WireVersion.BYTES);
    Purpose purpose = Purpose.of(in.getInt());
    int length = in.getInt();
    if (length < (purpose == Purpose.NOTICE ? 1 : 0) || length > mostBehind(purpose)) {
      throw new ProtocolException("a hello of purpose " + purpose + " has the length " + length);
    }
    UUID target = new UUID(in.getLong(), in.getLong());
    UUID source = new UUID(in.getLong(), in.getLong());
    int rank = in.getInt();
    int size = in.getInt();
    int targetRank = in.getInt();
    int stripe = in.getInt();
    return new Hello(
        purpose,
        length,
        target,
        source,
        rank,
        size,
        targetRank,
        in.getLong(),
        in.getLong(),
        in.getLong(),
        stripe,
        in.getLong());
  }
}
