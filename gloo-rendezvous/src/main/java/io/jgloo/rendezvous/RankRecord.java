package io.jgloo.rendezvous;

import io.jgloo.transport.Address;
import io.jgloo.transport.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

/**
 * The record of a rank in the store, which the other ranks read.
 *
 * <pre>
 *    0  u32  magic "JGR1"
 *    4  i32  rank
 *    8  i32  size
 *   12  16 B nonce of this incarnation of the rank
 *   28  the mesh's {@link Address#encode encoded address}, to the end      all big-endian
 * </pre>
 */
record RankRecord(int rank, int size, UUID nonce, Address address) {
  private static final int MAGIC = 0x4a475231;

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(rank);
      out.writeInt(size);
      out.writeLong(nonce.getMostSignificantBits());
      out.writeLong(nonce.getLeastSignificantBits());
      out.write(address.encode());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads an encoded record.
   *
   * @param rank whose record it should be
   * @throws ProtocolException if the bytes are not one whole record of that rank
   */
  static RankRecord decode(int rank, byte[] encoded) {
    RankRecord record;
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      int magic = in.readInt();
      if (magic != MAGIC) {
        throw new ProtocolException(
            String.format(
                "the record of rank %d begins with %08x, not %08x: another version or program wrote it",
                rank, magic, MAGIC));
      }
      int own = in.readInt();
      int size = in.readInt();
      UUID nonce = new UUID(in.readLong(), in.readLong());
      record = new RankRecord(own, size, nonce, Address.decode(in.readAllBytes()));
    } catch (IOException e) {
      throw new ProtocolException(
          "the record of rank " + rank + " is truncated at " + encoded.length + " bytes", e);
    }
    if (record.rank != rank || record.size < 1 || rank >= record.size) {
      throw new ProtocolException(
          "the record of rank " + rank + " names rank " + record.rank + " of " + record.size);
    }
    return record;
  }

  /** Rank, size and address, for messages. */
  @Override
  public String toString() {
    return "rank " + rank + " of " + size + " at " + address;
  }
}
