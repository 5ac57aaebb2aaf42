package io.jgloo.transport.shm;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

/**
 * Memory that two ranks of one host share: a pair of rings, and cells if wanted; see {@link
 * MemoryChannel}. Its header, in native byte order:
 *
 * <pre>
 *    0  i64       magic "JGLOOSHM" and, by it, the byte order
 *    8  i64       version, 3
 *   16  i64       bytes of each ring
 *   24  16 bytes  incarnation of the mesh that has made it
 *   40  16 bytes  incarnation of the mesh that it is made for
 *   56  16 bytes  token
 * </pre>
 *
 * <p>The token is random and stands only here. A peer that can tell it has opened this very memory:
 * paths and process numbers may mean something else in another container.
 *
 * <p><i>Threads</i>: one at a time. <i>Owns</i>: the mapping, and the file until it is attached.
 */
public final class Segment implements AutoCloseable {

  public static final long MIN_RING_BYTES = 4 << 10;
  public static final long MAX_RING_BYTES = 16 << 20;

  private static final long MAGIC = 0x4a474c4f4f53484dL;
  private static final long VERSION = 3;
  private static final int TOKEN_AT = 56;

  private final Mapping mapping;
  private final long ringBytes;
  private final boolean first;
  private final SegmentOffer offer;
  private SegmentFile file; // null once no peer needs it any more
  private boolean closed;

  private Segment(SegmentFile file, SegmentOffer offer, boolean first) throws IOException {
    this.file = file;
    this.offer = offer;
    this.first = first;
    ringBytes = offer.ringBytes();
    mapping = Mapping.of(file.channel(), MemoryChannel.segmentBytes(ringBytes, offer.cells()));
  }

  /**
   * Makes a segment to be offered to a peer.
   *
   * @param named whether it gets a name in /dev/shm; else it is anonymous
   * @param cells whether it has cells
   * @param maker incarnation of the mesh that makes it
   * @param peer incarnation of the mesh that it is for
   * @throws IOException with the reason why it cannot be had
   */
  public static Segment create(boolean named, long ringBytes, boolean cells, UUID maker, UUID peer)
      throws IOException {
    SegmentFile file = SegmentFile.create(named, MemoryChannel.segmentBytes(ringBytes, cells));
    Segment segment = null;
    try {
      SegmentOffer offer =
          new SegmentOffer(named, cells, SegmentFile.pidNamespace(), ringBytes, file.path());
      segment = new Segment(file, offer, true);
      segment.writeHeader(maker, peer);
      return segment;
    } finally {
      if (segment == null) {
        file.close();
      }
    }
  }

  /**
   * Maps the segment that a peer offers.
   *
   * @param bytes of the offer
   * @throws IOException with the reason why it cannot be opened, or is not what is offered
   */
  public static Segment attach(byte[] bytes, UUID maker, UUID own) throws IOException {
    SegmentOffer offer = SegmentOffer.decode(bytes);
    if (!offer.named() && offer.pidNamespace() != SegmentFile.pidNamespace()) {
      throw new IOException(
          ("the peer is in the pid namespace " + offer.pidNamespace())
              + (", this process in " + SegmentFile.pidNamespace()));
    }
    long size = MemoryChannel.segmentBytes(offer.ringBytes(), offer.cells());
    try (SegmentFile file = SegmentFile.open(offer.named(), offer.path(), size)) {
      Segment segment = new Segment(file, offer, false);
      segment.file = null;
      boolean right = false;
      try {
        segment.checkHeader(maker, own);
        right = true;
        return segment;
      } finally {
        if (!right) {
          segment.close();
        }
      }
    }
  }

  private void writeHeader(UUID maker, UUID peer) {
    long at = mapping.address();
    putUuid(at + TOKEN_AT, UUID.randomUUID());
    Memory.putLong(at + 8, VERSION);
    Memory.putLong(at + 16, ringBytes);
    putUuid(at + 24, maker);
    putUuid(at + 40, peer);
    Memory.putLong(at, MAGIC);
  }

  private void checkHeader(UUID maker, UUID own) throws IOException {
    long at = mapping.address();
    if (Memory.getLong(at) != MAGIC
        || Memory.getLong(at + 8) != VERSION
        || Memory.getLong(at + 16) != ringBytes
        || !maker.equals(uuid(at + 24))
        || !own.equals(uuid(at + 40))) {
      throw new IOException(offer.path() + " is not the memory that was offered");
    }
  }

  static void putUuid(long at, UUID value) {
    Memory.putLong(at, value.getMostSignificantBits());
    Memory.putLong(at + 8, value.getLeastSignificantBits());
  }

  static UUID uuid(long at) {
    return new UUID(Memory.getLong(at), Memory.getLong(at + 8));
  }

  /** What a peer needs to attach. */
  public byte[] offer() {
    return offer.encode();
  }

  /** What stands only in this memory. */
  UUID token() {
    return uuid(mapping.address() + TOKEN_AT);
  }

  /** The kind of memory, for logs and users. */
  public String kind() {
    return offer.named() ? "/dev/shm" : "memfd";
  }

  /** Whether it is, or was, a file with a name. */
  public boolean isNamed() {
    return offer.named();
  }

  /** Bytes of each ring. */
  public long ringBytes() {
    return ringBytes;
  }

  /** The end of this side; there is one. */
  public MemoryChannel channel(MemoryChannel.Bell bell) {
    return new MemoryChannel(
        new SharedMemory(mapping.address()), first, ringBytes, offer.cells(), bell);
  }

  /** The peer has attached, or will not: removes what it would have opened. */
  public void unlink() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        file = null;
      }
    }
  }

  /** Unmaps the memory; no thread may use a channel of it any more. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        unlink();
      } finally {
        mapping.close();
      }
    }
  }
}
