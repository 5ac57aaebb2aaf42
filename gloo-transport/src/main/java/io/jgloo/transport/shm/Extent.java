package io.jgloo.transport.shm;

import io.jgloo.transport.library.SystemCalls;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.util.UUID;

/**
 * Memory of one rank that its peers of this host map, to read what it sends in place. Its header of
 * a page, in native byte order:
 *
 * <pre>
 *    0  i64       magic "JGLOOEXT" and, by it, the byte order
 *    8  i64       version, 1
 *   16  i64       bytes behind the header
 *   24  16 bytes  incarnation of the mesh that has made it
 *   40  16 bytes  token
 *   4096          the bytes
 * </pre>
 *
 * <p>The mapping of its owner goes when no buffer of it is reachable, so that no access can be one
 * to unmapped memory.
 *
 * <p><i>Threads</i>: one at a time. <i>Owns</i>: the file until {@link #close}.
 */
public final class Extent implements AutoCloseable {

  /** Longest extent, without its header. */
  public static final long MAX_BYTES = 1L << 30;

  /** Longest offer. */
  public static final int MAX_OFFER_BYTES = ExtentOffer.MAX_BYTES;

  static final int HEADER_BYTES = 4096;

  private static final long MAGIC = 0x4a474c4f4f455854L;
  private static final long VERSION = 1;
  private static final int MAKER_AT = 24;
  private static final int TOKEN_AT = 40;

  private final ExtentOffer offer;
  private final ByteBuffer whole;
  private final long address;
  private SegmentFile file; // null once no peer can open it any more
  private int number;

  private Extent(SegmentFile file, ExtentOffer offer) throws IOException {
    this.file = file;
    this.offer = offer;
    whole = file.channel().map(MapMode.READ_WRITE, 0, HEADER_BYTES + offer.bytes());
    file.mapped();
    address = Memory.addressOf(whole) + HEADER_BYTES;
  }

  /**
   * Makes an extent of zeros.
   *
   * @param named whether it gets a name in /dev/shm; else it is anonymous
   * @param bytes 1 to {@link #MAX_BYTES}
   * @param maker incarnation of the mesh that makes it
   * @throws IOException with the reason why it cannot be had
   */
  public static Extent create(boolean named, long bytes, UUID maker) throws IOException {
    SegmentFile file = SegmentFile.create(named, HEADER_BYTES + bytes);
    Extent extent = null;
    try {
      UUID token = UUID.randomUUID();
      extent =
          new Extent(
              file, new ExtentOffer(named, SegmentFile.pidNamespace(), bytes, token, file.path()));
      long at = extent.address - HEADER_BYTES;
      Memory.putLong(at + 8, VERSION);
      Memory.putLong(at + 16, bytes);
      Segment.putUuid(at + MAKER_AT, maker);
      Segment.putUuid(at + TOKEN_AT, token);
      Memory.putLong(at, MAGIC);
      return extent;
    } finally {
      if (extent == null) {
        file.close();
      }
    }
  }

  static boolean isRight(long at, ExtentOffer offer, UUID maker) {
    return Memory.getLong(at) == MAGIC
        && Memory.getLong(at + 8) == VERSION
        && Memory.getLong(at + 16) == offer.bytes()
        && maker.equals(Segment.uuid(at + MAKER_AT))
        && offer.token().equals(Segment.uuid(at + TOKEN_AT));
  }

  /** Sets its number in frames, under which its mesh offers it. */
  void number(int value) {
    number = value;
  }

  int number() {
    return number;
  }

  /** Whether all bytes of a range lie in it. */
  boolean contains(long from, long length) {
    long offset = from - address;
    return offset >= 0 && length <= bytes() && offset <= bytes() - length;
  }

  /** Address of the first byte behind the header. */
  public long address() {
    return address;
  }

  /** Bytes behind the header. */
  public long bytes() {
    return offer.bytes();
  }

  /** The bytes, which stay mapped while a view of them is reachable. */
  public ByteBuffer buffer() {
    return whole.slice(HEADER_BYTES, (int) offer.bytes());
  }

  /** Whether it has a name, by which only peers attach that are connected now. */
  public boolean isNamed() {
    return offer.named();
  }

  /** What a peer needs to attach, or null if none can any more. */
  public byte[] offer() {
    return file == null ? null : offer.encode();
  }

  /** Gives the pages of an anonymous extent back to the system: it is zeros from here on. */
  public void discard() {
    if (!offer.named()) {
      try {
        SystemCalls.discard(address, offer.bytes());
      } catch (IOException e) {
        // The pages go with the last mapping.
      }
    }
  }

  /** No peer attaches any more: closes the file and removes its name. Mappings stay. */
  @Override
  public void close() {
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
}
