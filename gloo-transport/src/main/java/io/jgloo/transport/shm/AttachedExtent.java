package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;
import java.io.IOException;
import java.util.UUID;

/**
 * An extent of a peer, mapped to be read.
 *
 * <p><i>Threads</i>: one at a time; no thread may use its memory when it is closed. <i>Owns</i>:
 * the mapping.
 */
public final class AttachedExtent implements AutoCloseable {

  private final Mapping mapping;
  private final long bytes;
  private final boolean named;

  private AttachedExtent(Mapping mapping, ExtentOffer offer) {
    this.mapping = mapping;
    bytes = offer.bytes();
    named = offer.named();
  }

  /**
   * Maps the extent that a peer offers.
   *
   * @param maker incarnation of the mesh that offers it
   * @throws IOException with the reason why it cannot be opened, or is not what is offered
   * @throws ProtocolException if the bytes are no offer
   */
  public static AttachedExtent attach(byte[] encoded, UUID maker) throws IOException {
    ExtentOffer offer = ExtentOffer.decode(encoded);
    if (!offer.named() && offer.pidNamespace() != SegmentFile.pidNamespace()) {
      throw new IOException("the peer is in the pid namespace " + offer.pidNamespace());
    }
    long size = Extent.HEADER_BYTES + offer.bytes();
    try (SegmentFile file = SegmentFile.open(offer.named(), offer.path(), size)) {
      Mapping mapping = Mapping.of(file.channel(), size);
      if (!Extent.isRight(mapping.address(), offer, maker)) {
        mapping.close();
        throw new IOException(offer.path() + " is not the extent that was offered");
      }
      return new AttachedExtent(mapping, offer);
    }
  }

  /**
   * Where a range of it is in this process.
   *
   * @throws ProtocolException if a byte of the range is not in it
   */
  public long address(long offset, long length) {
    if (offset < 0 || length < 0 || offset > bytes || length > bytes - offset) {
      throw new ProtocolException(
          (length + " bytes from " + offset + " on of an extent of " + bytes) + " bytes");
    }
    return mapping.address() + Extent.HEADER_BYTES + offset;
  }

  /** Whether it is, or was, a file with a name. */
  public boolean isNamed() {
    return named;
  }

  @Override
  public void close() {
    mapping.close();
  }
}
