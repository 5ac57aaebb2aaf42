package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;

/**
 * One rank's end of a pair of byte streams through shared memory, one in each direction.
 *
 * <p>A segment has this layout; words stand alone in 128 bytes, as processors fetch cache lines in
 * pairs:
 *
 * <pre>
 *      0  header, see {@link Segment}
 *   4096  parked: what the side that has made the segment waits for
 *   4224  parked: what the side that has attached waits for
 *   4352  tail of ring 0, written by the side that has made it
 *   4480  head of ring 0, written by the side that has attached
 *   4608  tail of ring 1, written by the side that has attached
 *   4736  head of ring 1, written by the side that has made it
 *   4864  revoked: whether the side that has made it takes back what it has lent
 *   4992  revoked: whether the side that has attached does
 *   8192  bytes of ring 0, then bytes of ring 1, then the cells if there are any
 * </pre>
 *
 * <p>Each word has one writer, but for {@code parked}, which the other side resets by a compare and
 * set. There is no lock: a process that is killed leaves bytes that are not published, which no
 * process looks at.
 *
 * <p><i>Threads</i>: one at a time. <i>Fails</i>: a position that cannot be is a {@link
 * ProtocolException}, before any byte is touched.
 */
public final class MemoryChannel {

  /** Wakes the peer's process, which is blocked or about to block. */
  public interface Bell {
    void ring();
  }

  static final int WORDS = 4096;
  static final int LINE = 128;
  static final int RINGS = 8192;

  private final RingReader in;
  private final RingWriter out;
  private final Parking parking;
  private final SharedMemory memory;
  private final long revokedByThis;
  private final long revokedByPeer;
  private final Bell bell;
  private final CellChannel cells;

  /**
   * @param first whether this is the side that has made the segment
   * @param ringBytes of each ring, a power of two
   * @param withCells whether the segment has cells
   */
  MemoryChannel(SharedMemory memory, boolean first, long ringBytes, boolean withCells, Bell bell) {
    int written = first ? 0 : 1;
    int read = 1 - written;
    out = new RingWriter(memory, tail(written), head(written), ring(written, ringBytes), ringBytes);
    in = new RingReader(memory, tail(read), head(read), ring(read, ringBytes), ringBytes);
    parking = new Parking(memory, parked(written), parked(read));
    this.memory = memory;
    revokedByThis = revoked(written);
    revokedByPeer = revoked(read);
    this.bell = bell;
    cells =
        withCells
            ? new CellChannel(memory, parked(read), segmentBytes(ringBytes, false), first)
            : null;
  }

  private static long parked(int side) {
    return WORDS + (long) LINE * side;
  }

  private static long tail(int ring) {
    return WORDS + (long) LINE * (2 + 2 * ring);
  }

  private static long head(int ring) {
    return tail(ring) + LINE;
  }

  private static long revoked(int side) {
    return WORDS + (long) LINE * (6 + side);
  }

  private static long ring(int ring, long ringBytes) {
    return RINGS + ring * ringBytes;
  }

  /** Bytes of a segment with rings of this size. */
  static long segmentBytes(long ringBytes, boolean withCells) {
    return RINGS + 2 * ringBytes + (withCells ? CellChannel.BYTES : 0);
  }

  /** The cells, or null if there are none. */
  public CellChannel cells() {
    return cells;
  }

  /** Wakes the peer if it waits for bytes, cells or room. */
  public void wake() {
    if (parking.mustWakeForBytes()) {
      bell.ring();
    }
  }

  /** Whether there is something to read. */
  public boolean hasBytes() {
    return in.hasBytes();
  }

  /** Whether something could be written. */
  public boolean hasRoom() {
    return out.hasRoom();
  }

  /** Writes what fits; returns the bytes written. */
  public long write(long source, long length) {
    long done = 0;
    while (done < length) {
      int count = out.write(source + done, (int) Math.min(length - done, RingWriter.PUBLISH_BYTES));
      if (count == 0) {
        break;
      }
      done += count;
      if (parking.mustWakeForBytes()) {
        bell.ring();
      }
    }
    return done;
  }

  /**
   * Copies out what is there.
   *
   * @return bytes read; 0 if nothing is there
   */
  public int read(long target, int length) {
    int count = in.read(target, length);
    publish();
    return count;
  }

  /** How many bytes can be read in place at {@link #address}. */
  public int contiguous() {
    return in.contiguous();
  }

  /** Where the next byte to be read is. */
  public long address() {
    return in.address();
  }

  /** Gives the room of bytes back that were read in place. */
  public void skip(int count) {
    in.skip(count);
    publish();
  }

  private void publish() {
    if (in.publish() && parking.mustWakeForRoom()) {
      bell.ring();
    }
  }

  /**
   * Asks the peer for a wake-up, then looks once more.
   *
   * @param forRoom whether room is awaited too, not bytes alone
   * @return whether the caller may block; it calls {@link #unpark} afterwards in any case
   */
  public boolean park(boolean forRoom) {
    parking.park(forRoom || (cells != null && cells.wantsRoom()));
    return !in.hasBytes() && !(forRoom && out.hasRoom());
  }

  /** Asks the peer for a wake-up for bytes or room; the caller looks for them afterwards. */
  public void askForWakeup() {
    parking.park(true);
  }

  /** Asks for no wake-up any more; one may be on its way. */
  public void unpark() {
    parking.unpark();
  }

  /**
   * Takes back all memory that this side has lent to the peer, at once and for good, without
   * waiting for it; the memory may be changed afterwards. Memory that is lent stays as it is until
   * the reader has said that it is done, or until then. The reader looks after it has read the last
   * byte, and takes what it has read for good only if nothing was revoked.
   */
  public void revoke() {
    memory.putRelease(revokedByThis, 1);
    memory.fullFence();
  }

  /** Whether what was read of the peer's memory until now may have been changed before. */
  public boolean isRevoked() {
    memory.fullFence();
    return memory.getAcquire(revokedByPeer) != 0;
  }
}
