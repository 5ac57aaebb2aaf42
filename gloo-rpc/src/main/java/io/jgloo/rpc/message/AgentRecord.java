package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.transport.Address;
import io.jgloo.transport.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The record of an agent in the store, which the other agents read.
 *
 * <pre>
 *    0  u32  magic "JGA1"
 *    4  i32  rank
 *    8  i32  size of the group
 *   12  i64  incarnation
 *   20  i64  bytes of messages it holds for each peer at most
 *   28  i32  length of its longest frame
 *   32  u16  length of its name, then the name in modified UTF-8
 *       the mesh's {@link Address#encode encoded address}, to the end      all big-endian
 * </pre>
 */
record AgentRecord(AgentId id, int size, long window, int frame, String name, Address address) {

  private static final int MAGIC = 0x4a474131;

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(id.rank());
      out.writeInt(size);
      out.writeLong(id.incarnation());
      out.writeLong(window);
      out.writeInt(frame);
      out.writeUTF(name);
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
   * @param size what the group's size should be
   * @throws ProtocolException if the bytes are not one whole record of that rank and size
   */
  static AgentRecord decode(int rank, int size, byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      int magic = in.readInt();
      int itsRank = in.readInt();
      int itsSize = in.readInt();
      if (magic != MAGIC || itsRank != rank || itsSize != size) {
        throw new ProtocolException(
            ("the record of agent " + rank + " of " + size + " in the store")
                + String.format(" has magic %08x and names agent %d", magic, itsRank)
                + (" of " + itsSize));
      }
      AgentId id = new AgentId(rank, in.readLong());
      long window = in.readLong();
      int frame = in.readInt();
      String name = in.readUTF();
      return new AgentRecord(id, size, window, frame, name, Address.decode(in.readAllBytes()));
    } catch (IOException | IllegalArgumentException e) {
      throw new ProtocolException(
          "the record of agent " + rank + " in the store is malformed: " + e.getMessage(), e);
    }
  }
}
