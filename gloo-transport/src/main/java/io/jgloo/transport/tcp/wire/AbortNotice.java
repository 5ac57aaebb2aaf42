package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The reason that a rank has failed its mesh, as it reports to its peers. Big-endian:
 *
 * <pre>
 *   i32  origin     rank that failed its mesh first
 *   u8   kind       1 lost, 2 timeout, 3 mismatch, 4 other, 5 departed,
 *                  6 timeout, and the ranks were found to hold up the call
 *   u16  n, then n x i32 ranks that caused it (lost, timeout, departed)
 *   2 x (i32 rank, i64 slot, i64 length, i64 high, i64 low)   only for mismatch
 *   UTF  sentence, at most 1000 characters
 * </pre>
 */
public final class AbortNotice {

  /** Longest notice; a longer one is a protocol error. */
  public static final int MAX_BYTES = 8192;

  private static final int LOST = 1;
  private static final int TIMEOUT = 2;
  private static final int MISMATCH = 3;
  private static final int OTHER = 4;
  private static final int DEPARTED = 5;
  private static final int CONFIRMED_TIMEOUT = 6;
  private static final int MAX_CHARACTERS = 1000;
  private static final int MAX_RANKS = 256;

  private AbortNotice() {}

  public static byte[] encode(int origin, JGlooException cause) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeInt(cause instanceof AbortedException aborted ? aborted.origin() : origin);
      if (cause instanceof PeerLostException lost) {
        int kind = lost instanceof PeerDepartedException ? DEPARTED : LOST;
        writeBlame(out, kind, List.of(lost.peer()));
      } else if (cause instanceof OperationTimeoutException timeout) {
        int kind = timeout.isConfirmed() ? CONFIRMED_TIMEOUT : TIMEOUT;
        writeBlame(out, kind, timeout.missingPeers());
      } else if (cause instanceof MismatchException mismatch && mismatch.first() != null) {
        writeBlame(out, MISMATCH, List.of());
        writeSide(out, mismatch.first());
        writeSide(out, mismatch.second());
      } else {
        writeBlame(out, OTHER, List.of());
      }
      String text = String.valueOf(cause.getMessage());
      out.writeUTF(text.substring(0, Math.min(text.length(), MAX_CHARACTERS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The exception that a notice means at a rank: the one that was sent, without this rank among the
   * causes.
   *
   * @throws ProtocolException if the bytes are not a notice, or name ranks that do not exist
   */
  public static JGlooException decode(byte[] notice, int ownRank, int size) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(notice));
    try {
      int origin = readRank(in, size);
      int kind = in.readUnsignedByte();
      List<Integer> blamed = new ArrayList<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        blamed.add(readRank(in, size));
      }
      MismatchException.Side first = kind == MISMATCH ? readSide(in) : null;
      MismatchException.Side second = kind == MISMATCH ? readSide(in) : null;
      String text = "rank " + origin + " gave up: " + in.readUTF();
      boolean ours = blamed.remove((Integer) ownRank); // this rank is alive
      if (ours && kind != TIMEOUT && kind != CONFIRMED_TIMEOUT) {
        return new AbortedException(origin, text);
      }
      return switch (kind) {
        case LOST -> new PeerLostException(blamed.get(0), text, null);
        case DEPARTED -> new PeerDepartedException(blamed.get(0), text);
        case TIMEOUT -> new OperationTimeoutException(text, blamed);
        case CONFIRMED_TIMEOUT -> new OperationTimeoutException(text, blamed, true);
        case MISMATCH -> new MismatchException(text, first, second);
        case OTHER -> new AbortedException(origin, text);
        default -> throw new ProtocolException("an abort notice has the unknown kind " + kind);
      };
    } catch (IOException | IndexOutOfBoundsException e) {
      throw new ProtocolException("an abort notice of " + notice.length + " bytes is malformed", e);
    }
  }

  private static void writeBlame(DataOutputStream out, int kind, List<Integer> ranks)
      throws IOException {
    out.writeByte(kind);
    int count = Math.min(ranks.size(), MAX_RANKS);
    out.writeShort(count);
    for (int rank : ranks.subList(0, count)) {
      out.writeInt(rank);
    }
  }

  private static int readRank(DataInputStream in, int size) throws IOException {
    int rank = in.readInt();
    if (rank < 0 || rank >= size) {
      throw new ProtocolException("an abort notice that names rank " + rank + " of " + size);
    }
    return rank;
  }

  private static void writeSide(DataOutputStream out, MismatchException.Side side)
      throws IOException {
    out.writeInt(side.rank());
    out.writeLong(side.slot());
    out.writeLong(side.length());
    out.writeLong(side.fingerprintHigh());
    out.writeLong(side.fingerprintLow());
  }

  private static MismatchException.Side readSide(DataInputStream in) throws IOException {
    return new MismatchException.Side(
        in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }
}
