package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Slot;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The ranks that a rank waits for, and its answer when another rank asks for them. Big-endian,
 * behind a {@link Welcome} that holds the length in bytes:
 *
 * <pre>
 *   n x i32   ranks to or from which messages are not done
 * </pre>
 */
public final class AwaitedRanks {

  private AwaitedRanks() {}

  /**
   * The ranks to or from which messages are not done, on slots of one space up to this one; null if
   * the mesh has ended. The mesh's lock is held.
   */
  static List<Integer> of(ConnectMesh mesh, long slot) {
    LongPredicate slots =
        each -> Slot.space(each) == Slot.space(slot) && Slot.number(each) <= Slot.number(slot);
    List<Integer> peers = new ArrayList<>();
    long cells = mesh.awaitedCells(slots);
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank() && (mesh.streamAt(peer).awaits(slots) || (cells >>> peer & 1) != 0)) {
        peers.add(peer);
      }
    }
    return mesh.hasEnded() ? null : peers;
  }

  /** The ranks, or the notice of a mesh that has failed, or a refusal. */
  static byte[] answer(ConnectDevice device, ConnectMesh mesh, Hello question) {
    Welcome welcome =
        mesh == null
            ? new Welcome(Welcome.Status.UNKNOWN, 0, 0, 0)
            : mesh.connectionTable().answerTo(question);
    boolean accepted = welcome.status() == Welcome.Status.ACCEPTED;
    List<Integer> peers = accepted ? of(mesh, question.slot()) : null;
    if (peers != null) {
      ByteBuffer body = ByteBuffer.allocate(Integer.BYTES * peers.size());
      peers.forEach(body::putInt);
      return new Welcome(Welcome.Status.ACCEPTED, mesh.size(), body.capacity(), welcome.epoch())
          .encodeWith(body.array());
    }
    // Looked up last: the notice is stored before the mesh is marked as failed.
    byte[] notice = device.failureNotices().find(question.target());
    if (notice != null) {
      return new Welcome(Welcome.Status.FAILED, 0, notice.length, 0).encodeWith(notice);
    }
    return (accepted ? new Welcome(Welcome.Status.UNKNOWN, 0, 0, 0) : welcome).encode();
  }

  /**
   * @throws ProtocolException if the bytes are not ranks of a group of that size
   */
  public static List<Integer> decode(byte[] body, int size) {
    ByteBuffer in = ByteBuffer.wrap(body);
    List<Integer> peers = new ArrayList<>();
    while (in.remaining() >= Integer.BYTES) {
      int peer = in.getInt();
      if (peer < 0 || peer >= size) {
        throw new ProtocolException("an answer that names rank " + peer + " of " + size);
      }
      peers.add(peer);
    }
    return peers;
  }
}
